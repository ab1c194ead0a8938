import type { OsmMember } from '../../../../core/osm/elements.ts';
import { roadMapOf } from '../../../../core/roads/map/build-road-map.ts';
import type { RoadMapOptions, RoadMapSummary } from '../../../../core/roads/map/build-road-map.ts';
import { journeyLine } from '../../../../core/roads/map/journey-line.ts';
import { JourneySearch } from '../../../../core/roads/map/journey-search.ts';
import type { Journey } from '../../../../core/roads/map/journey-search.ts';
import { findPlace } from '../../../../core/roads/map/places.ts';
import type { Place } from '../../../../core/roads/map/places.ts';
import type { RoadMap } from '../../../../core/roads/map/road-map.ts';
import { vehicleGraph } from '../../../../core/roads/map/vehicle-graph.ts';
import type { Vehicle } from '../../../../core/roads/map/vehicle.ts';
import { writeOsmFile } from '../../../support/osm-files.ts';
import type { OsmContent } from '../../../support/osm-files.ts';

/** A hundred metres in degrees, at the equator in both directions. */
export const STEP = 100 / 111_195.0797;

type Tags = Record<string, string>;

export interface LittleMapParts {
  /** By the letters of their nodes in order: `abc` leads from a over b to c. Those without `highway` or `route` are residential streets. */
  ways: Record<string, Tags>;
  nodes?: Record<string, Tags>;
  /** Words such as "no_left_turn ab b bc", or with ways between "no_u_turn ab bc cd"; further tags may follow. */
  restrictions?: [words: string, more?: Tags][];
  relations?: OsmContent['relations'];
}

/** A map from a picture: each letter is a node, a step of one character or line is a hundred metres (two characters across, for the eye). */
export function littleMap(picture: string, parts: LittleMapParts, options: RoadMapOptions = {}): LittleMap {
  const content = littleContent(picture, parts);
  const { map, summary } = roadMapOf(writeOsmFile(content), options);
  return new LittleMap(content, map, summary);
}

export function littleContent(picture: string, { ways, nodes = {}, restrictions = [], relations = [] }: LittleMapParts): OsmContent {
  const lines = picture.split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  const content: OsmContent = { nodes: [], ways: [], relations: [...relations] };
  lines.forEach((line, row) => line.slice(indent).split('').forEach((letter, column) => {
    if (letter === ' ') return;
    content.nodes.push({ id: letter.codePointAt(0)!, longitude: (column / 2) * STEP, latitude: -row * STEP, ...(nodes[letter] && { tags: nodes[letter] }) });
  }));
  content.nodes.sort((a, b) => a.id - b.id);
  const wayId = new Map(Object.keys(ways).map((letters, i) => [letters, i + 1]));
  for (const [letters, tags] of Object.entries(ways)) {
    content.ways.push({ id: wayId.get(letters)!, refs: [...letters].map((letter) => letter.codePointAt(0)!), tags: tags.highway || tags.route ? tags : { highway: 'residential', ...tags } });
  }
  restrictions.forEach(([words, more = {}], i) => {
    const [kind, from, ...others] = words.split(' ');
    const way = (letters: string, role: string): OsmMember => ({ type: 'way', id: wayId.get(letters) ?? 999, role });
    const via = others.slice(0, -1).map((name): OsmMember => (name.length === 1 ? { type: 'node', id: name.codePointAt(0)!, role: 'via' } : way(name, 'via')));
    content.relations.push({ id: i + 1, members: [way(from, 'from'), ...via, way(others.at(-1)!, 'to')], tags: { type: 'restriction', ...(kind === '-' ? {} : { restriction: kind }), ...more } });
  });
  return content;
}

export class LittleMap {
  readonly content: OsmContent;
  readonly map: RoadMap;
  readonly summary: RoadMapSummary;

  constructor(content: OsmContent, map: RoadMap, summary: RoadMapSummary) {
    this.content = content;
    this.map = map;
    this.summary = summary;
  }

  /** The middle between two nodes, such as `ab`, or a node itself. */
  at(letters: string): [longitude: number, latitude: number] {
    const nodes = [...letters].map((letter) => this.content.nodes.find(({ id }) => id === letter.codePointAt(0))!);
    const mean = (pick: (node: (typeof nodes)[number]) => number) => nodes.reduce((sum, node) => sum + pick(node), 0) / nodes.length;
    return [mean(({ longitude }) => longitude), mean(({ latitude }) => latitude)];
  }

  place(letters: string, vehicle: Vehicle = { kind: 'car' }): Place {
    const place = findPlace(vehicleGraph(this.map, vehicle), ...this.at(letters), { metresMax: 1 });
    if (place === null) throw new Error(`no road for a ${vehicle.kind} at ${letters}`);
    return place;
  }

  journey(from: string, to: string, vehicle: Vehicle = { kind: 'car' }): Journey | null {
    return new JourneySearch(vehicleGraph(this.map, vehicle)).journey(this.place(from, vehicle), this.place(to, vehicle));
  }

  /** Letters of the nodes on the way from the middle of one stretch to the middle of another; "none" where there is no way. */
  route(from: string, to: string, vehicle: Vehicle = { kind: 'car' }): string {
    const journey = this.journey(from, to, vehicle);
    if (journey === null) return 'none';
    const line = journeyLine(vehicleGraph(this.map, vehicle), { from: this.place(from, vehicle), to: this.place(to, vehicle), ...journey });
    return line.coordinates.slice(1, -1).map((position) => this.letterAt(position)).join('');
  }

  seconds(from: string, to: string, vehicle: Vehicle = { kind: 'car' }): number {
    return this.journey(from, to, vehicle)!.milliseconds / 1000;
  }

  private letterAt([longitude, latitude]: [number, number]): string {
    const near = (a: number, b: number) => Math.abs(a - b) < 2e-7;
    const node = this.content.nodes.find((each) => near(each.longitude, longitude) && near(each.latitude, latitude));
    return node ? String.fromCodePoint(node.id) : '?';
  }
}
