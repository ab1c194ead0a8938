/**
 * Runs as a child: one set of tiles, one Actor for as long as the process lives. Version 3.6.1 finds the native actor by the address of
 * its configuration, so a second Actor in one process may answer from the tiles of a first that is gone. Ends with whoever started it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UNREACHABLE } from '../roads/travel-matrix.ts';
import { valhallaConfig } from './config.ts';
import { decodePolyline } from './polyline.ts';
import { costingOf, hasLimits, mayPass } from './profile.ts';
import type { AccessRestriction, Profile } from './profile.ts';
import type { Answers, FromProcess, Point, Query, Snapped, ToProcess } from './queries.ts';
import { stepAside } from './step-aside.ts';

/** Requests and answers are JSON texts. Each call takes a thread of the pool; the rest of the process stays awake. */
interface Actor {
  status(query: string): Promise<string>;
  locate(query: string): Promise<string>;
  matrix(query: string): Promise<string>;
  route(query: string): Promise<string>;
}

const [, , tiles, packageDirectory] = process.argv;
const { Actor } = await import(pathToFileURL(join(packageDirectory, 'index.mjs')).href) as { Actor: new (config: object) => Actor };
const actor = new Actor(valhallaConfig({ tiles, logs: false }));
// A configuration that it dislikes shows with the first request.
await actor.status('{}');

process.on('message', ({ id, query }: ToProcess) => { void answerTo(id, query).then(tell); });
// Whoever stops all processes of a service at once: it is the other end that decides when this one is not needed any more.
process.on('SIGTERM', () => {});
// Not `exit`, which waits for the threads of the pool, or crashes with them.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
tell({ kind: 'ready' });

function tell(message: FromProcess): void {
  if (process.connected) process.send!(message);
}

async function answerTo(id: number, query: Query): Promise<FromProcess> {
  try {
    return { kind: 'answer', id, answer: await answerers[query.kind](query as never) };
  } catch (error) {
    return { kind: 'refusal', id, message: (error as Error).message };
  }
}

type Asked<K extends Query['kind']> = Extract<Query, { kind: K }>;

const answerers: { [K in Query['kind']]: (query: Asked<K>) => Promise<Answers[K]> } = {
  async locate(query) {
    const found = JSON.parse(await actor.locate(request(query, { locations: locations(query.points, query), verbose: hasLimits(query.profile) }))) as Located[];
    return found.map(({ edges }, i) => snap(query.points[i]!, edges ?? [], query.profile));
  },

  async matrix(query) {
    const started = performance.now();
    const { durations, distances } = await timesOf(query);
    return { ...table(durations, distances), milliseconds: performance.now() - started };
  },

  async route(query) {
    try {
      const text = await actor.route(request(query, { locations: locations(query.points, query), directions_type: 'none' }));
      const { trip } = JSON.parse(text) as RouteAnswer;
      return trip.legs.map(({ summary, shape }) => ({ seconds: Math.ceil(summary.time), metres: Math.round(summary.length * 1000), geometry: decodePolyline(shape) }));
    } catch (error) {
      if (isNoWay(error)) return null;
      throw error;
    }
  },
};

/** A table without a single way in it is refused. */
async function timesOf(query: Asked<'matrix'>): Promise<MatrixAnswer['sources_to_targets']> {
  try {
    const text = await actor.matrix(request(query, { sources: locations(query.sources, query), targets: locations(query.targets, query), verbose: false }));
    return (JSON.parse(text) as MatrixAnswer).sources_to_targets;
  } catch (error) {
    if (!isNoWay(error)) throw error;
    const nothing = query.sources.map(() => query.targets.map(() => null));
    return { durations: nothing, distances: nothing };
  }
}

/** The text is all that there is to tell them by. */
const isNoWay = (error: unknown): boolean => /No path could be found|No suitable edges/.test((error as Error).message);

interface Located { edges: LocatedEdge[] | null }
interface LocatedEdge { correlated_lon: number; correlated_lat: number; access_restrictions?: AccessRestriction[]; edge_info?: { way_id: number; shape: string } }
interface MatrixAnswer { sources_to_targets: { durations: (number | null)[][]; distances: (number | null)[][] } }
interface RouteAnswer { trip: { legs: { summary: { time: number; length: number }; shape: string }[] } }

function request({ profile }: Query, content: object): string {
  return JSON.stringify({ ...costingOf(profile), units: 'kilometers', ...content });
}

/** Without a limit of its own each point would be taken to a road up to 35 km away. */
function locations(points: readonly Point[], { limitMetres }: { limitMetres: number }): object[] {
  return points.map(([lon, lat]) => ({ lon, lat, search_cutoff: limitMetres }));
}

/** A journey may begin and end on a road that a limit closes to the vehicle, if Valhalla is asked: it holds limits against the roads between. */
function snap(point: Point, edges: LocatedEdge[], profile: Profile): Snapped | null {
  const open = edges.filter((edge) => mayPass(profile, edge.access_restrictions ?? []));
  const found = nearest(point, open);
  if (found === null || open.length === edges.length) return found;
  const instead = stepAside([found.longitude, found.latitude], open.map(({ edge_info: info }) => (info ? { edge_info: { way_id: info.way_id, shape: decodePolyline(info.shape) } } : {})));
  return { ...found, ...(instead && { instead }) };
}

/** The nearest of the places that Valhalla may begin from. */
function nearest([longitude, latitude]: Point, edges: LocatedEdge[]): Snapped | null {
  let best: Snapped | null = null;
  for (const edge of edges) {
    const metres = metresBetween([longitude, latitude], [edge.correlated_lon, edge.correlated_lat]);
    if (best === null || metres < best.metres) best = { longitude: edge.correlated_lon, latitude: edge.correlated_lat, metres };
  }
  return best;
}

function metresBetween([lonA, latA]: Point, [lonB, latB]: Point): number {
  const radians = Math.PI / 180;
  const [sinLat, sinLon] = [Math.sin((latB - latA) * radians / 2), Math.sin((lonB - lonA) * radians / 2)];
  const h = sinLat * sinLat + Math.cos(latA * radians) * Math.cos(latB * radians) * sinLon * sinLon;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}

function table(durations: (number | null)[][], distances: (number | null)[][]): { seconds: Int32Array; metres: Int32Array } {
  const columns = durations[0]?.length ?? 0;
  const seconds = new Int32Array(durations.length * columns).fill(UNREACHABLE);
  const metres = new Int32Array(durations.length * columns).fill(UNREACHABLE);
  for (const [row, times] of durations.entries()) {
    for (const [column, time] of times.entries()) {
      const kilometres = distances[row]![column];
      if (time === null || kilometres == null) continue;
      const cell = row * columns + column;
      metres[cell] = Math.round(kilometres * 1000);
      // The matrix cuts off what a route shows after the comma: 3499 for 3499.686. One more is rounded up, and keeps the triangle inequality.
      seconds[cell] = time === 0 && metres[cell] === 0 ? 0 : time + 1;
    }
  }
  return { seconds, metres };
}
