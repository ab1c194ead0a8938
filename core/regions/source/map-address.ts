import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unavailableMap, unusableMap } from '../install-failure.ts';

/** Where the map of one region is. `shown` is what people may see: it has neither credentials nor a query. */
export type MapAddress =
  | { kind: 'file'; path: string; shown: string }
  | { kind: 'http'; url: string; authorization: string | null; shown: string };

interface Named {
  id: string;
  name: string;
}

/** The address for a region in a source: a file serves all regions, a directory has a file for each, a URL is filled in. */
export async function mapAddress(source: string, region: Named): Promise<MapAddress> {
  return /^https?:\/\//i.test(source) ? urlAddress(source, region) : pathAddress(source, region);
}

function urlAddress(template: string, { id, name }: Named): MapAddress {
  const url = new URL(template.replaceAll('{region}', () => segments(id).map(encodeURIComponent).join('/')).replaceAll('{name}', () => segments(name).map(encodeURIComponent).join('/')));
  const authorization = url.username === '' ? null : `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`;
  url.username = '';
  url.password = '';
  return { kind: 'http', url: url.href, authorization, shown: url.origin + url.pathname };
}

/** An id such as `europe/malta` leads into folders, and never out of them. */
function segments(text: string): string[] {
  const parts = text.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\'))) throw unusableMap(`The map source is asked by the id and name of the region, and ${JSON.stringify(text)} can not be part of a path.`);
  return parts;
}

async function pathAddress(path: string, region: Named): Promise<MapAddress> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw unavailableMap(`There is nothing at ${path}, which MILKRUN_MAP_SOURCE names.`);
  const file = found.isDirectory() ? await fileIn(path, region) : path;
  return { kind: 'file', path: file, shown: file };
}

/** `malta.osm.pbf`, or the latest of `malta-2026-04-04.osm.pbf`. */
async function fileIn(directory: string, { id }: Named): Promise<string> {
  const wanted = join(directory, ...segments(id));
  const names = await readdir(dirname(wanted)).catch(() => [] as string[]);
  const plain = `${basename(wanted)}.osm.pbf`;
  const dated = names.filter((name) => name.startsWith(`${basename(wanted)}-`) && /^-\d{4}-?\d\d-?\d\d\.osm\.pbf$/.test(name.slice(basename(wanted).length)));
  const name = names.includes(plain) ? plain : dated.sort().at(-1);
  if (name === undefined) throw unavailableMap(`There is no ${plain} in ${dirname(wanted)}. Put it there, or give the region the id of a map that is there.`);
  return join(dirname(wanted), name);
}
