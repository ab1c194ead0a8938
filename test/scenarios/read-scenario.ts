import { readFileSync } from 'node:fs';
import { buildGraph } from '../../core/roads/build-graph.ts';
import { snap } from '../../core/roads/snap.ts';
import { travelMatrix } from '../../core/roads/travel-matrix.ts';
import type { SampleVehicle, Scenario, Somewhere } from '../../scenarios/generator/scenario.ts';

export const scenarioIds = ['tiny', 'town', 'city'] as const;
export type ScenarioId = (typeof scenarioIds)[number];

export function textOfScenario(id: ScenarioId): string {
  return readFileSync(new URL(`../../scenarios/${id}.json`, import.meta.url), 'utf8');
}

export function readScenario(id: ScenarioId): Scenario {
  return JSON.parse(textOfScenario(id)) as Scenario;
}

/** Seconds between the places of all orders and warehouses, by their ids. */
export function travelOf(scenario: Scenario): (from: string, to: string) => number {
  const graph = buildGraph(scenario);
  const indexOf = new Map(scenario.nodes.map((node, i) => [node.id, i]));
  const nodeOf = ({ node_id, location }: Somewhere) =>
    location === undefined ? indexOf.get(node_id!)! : snap(graph, location.longitude, location.latitude).node;
  const records = [...scenario.warehouses, ...scenario.orders];
  const row = new Map(records.map((record, i) => [record.id, i]));
  const { size, seconds } = travelMatrix(graph, Int32Array.from(records, nodeOf));
  return (from, to) => seconds[row.get(from)! * size + row.get(to)!]!;
}

/** Epoch seconds. */
export function epoch(instant: string): number {
  return Temporal.Instant.from(instant).epochMilliseconds / 1000;
}

/** A vehicle's working intervals that begin on one date, in Europe/Berlin. */
export function intervalsOn(date: string, { working_hours }: SampleVehicle): { start: number; end: number }[] {
  const day = Temporal.PlainDate.from(date);
  const hours = working_hours.overrides[date] ?? working_hours.weekly[String(day.dayOfWeek - 1)] ?? [];
  const at = (on: Temporal.PlainDate, clock: string) => on.toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: clock }).epochMilliseconds / 1000;
  return hours.map(({ start, end }) => ({ start: at(day, start), end: at(end <= start ? day.add({ days: 1 }) : day, end) }));
}
