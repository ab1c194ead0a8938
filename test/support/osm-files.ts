import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, test } from '@jest/globals';
import type { OsmMember } from '../../core/osm/elements.ts';
import { OsmWriter } from '../../core/osm/write-osm.ts';
import type { WriterOptions } from '../../core/osm/write-osm.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface OsmContent {
  nodes: { id: number; longitude: number; latitude: number; tags?: Record<string, string> }[];
  ways: { id: number; refs: number[]; tags?: Record<string, string> }[];
  relations: { id: number; members: OsmMember[]; tags?: Record<string, string> }[];
}

/** Writes an .osm.pbf file and gives its path. */
export function writeOsmFile(content: OsmContent, options: WriterOptions & { path?: string } = {}): string {
  const path = options.path ?? join(temporaryFolder(), 'map.osm.pbf');
  const writer = new OsmWriter(path, { isSorted: true, ...options });
  for (const { id, longitude, latitude, tags } of content.nodes) {
    writer.node({ id, longitudeE7: Math.round(longitude * 1e7), latitudeE7: Math.round(latitude * 1e7), tags: Object.entries(tags ?? {}) });
  }
  for (const way of content.ways) writer.way({ ...way, tags: Object.entries(way.tags ?? {}) });
  for (const relation of content.relations) writer.relation({ ...relation, tags: Object.entries(relation.tags ?? {}) });
  writer.close();
  return path;
}

/** Real extracts are not part of the project: see core/osm/README.md on where to get some. */
const EXTRACTS = process.env.MILKRUN_OSM_EXTRACTS ?? fileURLToPath(new URL('../../../shared/osm', import.meta.url));

export function extracts(): string[] {
  return existsSync(EXTRACTS) ? readdirSync(EXTRACTS).filter((name) => name.endsWith('.osm.pbf')).sort() : [];
}

export function extractPath(name: string): string {
  return join(EXTRACTS, name);
}

/** Tests on the real extracts whose names begin so; where there are none, one skipped test says so. */
export function describeExtracts(title: string, prefixes: readonly string[], body: (names: string[]) => void): void {
  const names = extracts().filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  const wanted = prefixes.map((prefix) => `${prefix}*.osm.pbf`).join(', ');
  describe(`${title}`, () => {
    if (names.length > 0) body(names);
    else test.skip(`needs ${wanted} in ${EXTRACTS} (MILKRUN_OSM_EXTRACTS)`, () => {});
  });
}
