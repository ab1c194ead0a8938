import { visible } from '../display-width.ts';
import { countText, durationText, sizeText } from '../units.ts';

/** What the job of a region has to tell, as it came over the wire. */
export interface RegionResult {
  outcome: 'installed' | 'unchanged';
  dataset_version: string;
  engine: string;
  source: { address: string; size_bytes: number; map_date: string | null };
  facts: { nodes: number; edges: number; bytes: number } | null;
  drift?: RegionDrift;
}

/** What the new roads change in plans that stand. */
interface RegionDrift {
  plans_compared: number;
  changed: { vehicle_id: string; date: string; seconds_before: number; seconds_after: number; unreachable_legs: number }[];
}

export function renderRegionResult({ outcome, dataset_version: version, engine, source, facts, drift }: RegionResult): string {
  const map = `the map ${visible(source.address)}${source.map_date ? ` of ${source.map_date}` : ''} (${sizeText(source.size_bytes)})`;
  if (outcome === 'unchanged') return `unchanged: ${map} is installed already, as ${version}\n`;
  const roads = facts === null ? '' : `, ${countText(facts.nodes)} nodes and ${countText(facts.edges)} edges in ${sizeText(facts.bytes)}`;
  return `installed ${version} for ${engine}${roads}\nfrom ${map}\n${drift ? renderDrift(drift) : ''}`;
}

const shownMax = 20;

function renderDrift({ plans_compared: compared, changed }: RegionDrift): string {
  if (compared === 0) return '';
  const plans = compared === 1 ? '1 plan from today on' : `${countText(compared)} plans from today on`;
  if (changed.length === 0) return `${plans}: travel much as before\n`;
  const lines = changed.slice(0, shownMax).map(({ vehicle_id: vehicle, date, seconds_before: before, seconds_after: after, unreachable_legs: lost }) =>
    `  ${visible(vehicle)} on ${date}: ${durationText(before)} → ${durationText(after)} of travel${lost === 0 ? '' : `, ${lost} ${lost === 1 ? 'leg' : 'legs'} without a way`}`);
  const more = changed.length > shownMax ? [`  and ${countText(changed.length - shownMax)} more`] : [];
  return `${plans}: ${changed.length} with other travel; plan again where that matters\n${[...lines, ...more].join('\n')}\n`;
}
