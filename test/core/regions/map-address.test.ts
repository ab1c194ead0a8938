import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { mapAddress } from '../../../core/regions/source/map-address.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const malta = { id: 'europe/malta', name: 'Malta & Gozo' };

describe('a URL', () => {
  test('is filled in with id and name', async () => {
    expect(await mapAddress('https://maps.example/{region}-latest.osm.pbf?as={name}', malta)).toEqual({
      kind: 'http', url: 'https://maps.example/europe/malta-latest.osm.pbf?as=Malta%20%26%20Gozo', authorization: null, shown: 'https://maps.example/europe/malta-latest.osm.pbf',
    });
  });

  test('without either serves every region', async () => {
    expect(await mapAddress('https://maps.example/europe.osm.pbf', malta)).toMatchObject({ url: 'https://maps.example/europe.osm.pbf' });
  });

  test('keeps its credentials to itself', async () => {
    expect(await mapAddress('https://me:p%3Ass@maps.example/{region}.osm.pbf?token=t', { id: 'malta', name: 'M' })).toEqual({
      kind: 'http', url: 'https://maps.example/malta.osm.pbf?token=t', authorization: `Basic ${Buffer.from('me:p:ss').toString('base64')}`, shown: 'https://maps.example/malta.osm.pbf',
    });
  });

  test.each(['..', '../secret', 'a/../b', '/etc', 'a//b', './a', 'a\\b'])('is never led astray by the id %j', async (id) => {
    await expect(mapAddress('https://maps.example/maps/{region}.osm.pbf', { id, name: 'x' })).rejects.toThrow('can not be part of a path');
    await expect(mapAddress(temporaryFolder(), { id, name: 'x' })).rejects.toThrow('can not be part of a path');
  });

  test.each([['a?b', 'a%3Fb'], ['a#b', 'a%23b'], ['ä', '%C3%A4'], ['a b', 'a%20b'], ['$&', '%24%26']])('escapes %j', async (id, escaped) => {
    expect(await mapAddress('https://maps.example/{region}.osm.pbf', { id, name: 'x' })).toMatchObject({ url: `https://maps.example/${escaped}.osm.pbf` });
  });
});

describe('a path', () => {
  const folder = temporaryFolder();
  const put = (name: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), 'x');
    return join(folder, name);
  };

  test('to a file serves every region', async () => {
    const file = put('whole.osm.pbf');
    expect(await mapAddress(file, malta)).toEqual({ kind: 'file', path: file, shown: file });
  });

  test('to a directory has a file for each', async () => {
    const file = put('europe/malta.osm.pbf');
    expect(await mapAddress(folder, malta)).toMatchObject({ path: file });
  });

  test('takes the latest where they are dated', async () => {
    put('andorra-2025-01-19.osm.pbf');
    put('andorra-north-2027-01-01.osm.pbf');
    const latest = put('andorra-2026-04-04.osm.pbf');
    expect(await mapAddress(folder, { id: 'andorra', name: 'A' })).toMatchObject({ path: latest });
  });

  test('that leads nowhere is told', async () => {
    await expect(mapAddress(join(folder, 'gone'), malta)).rejects.toThrow('which MILKRUN_MAP_SOURCE names');
    await expect(mapAddress(folder, { id: 'gozo', name: 'G' })).rejects.toThrow(`There is no gozo.osm.pbf in ${folder}`);
  });
});
