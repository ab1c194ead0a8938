import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { inspectOsm } from '../../../core/osm/inspect-osm.ts';
import { OsmFileError } from '../../../core/osm/osm-file-error.ts';
import { readOsm } from '../../../core/osm/read-osm.ts';
import { randomFrom } from '../../../scenarios/generator/random.ts';
import { writeOsmFile } from '../../support/osm-files.ts';
import { osmTown } from '../../support/osm-town.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { blob, contentOf, fileOf, header, message, packed } from './pieces.ts';

/** Problem and message of the error that reading everything ends with. */
function refusal(path: string): string {
  try {
    contentOf(path);
  } catch (error) {
    if (error instanceof OsmFileError) return `${error.problem}: ${error.message}`;
    throw error;
  }
  return 'read without an error';
}

const data = (...fields: Parameters<typeof message>) => blob({ content: message(...fields).content });
const strings = (...texts: string[]) => message(...['', ...texts].map((text): [number, string] => [1, text]));

describe('a file that is no map is refused in words for the one who supplied it:', () => {
  test.each([
    ['nothing', '', 'not_pbf: the file is empty'],
    ['a page of HTML', '\n<!DOCTYPE html><html>', 'HTML'],
    ['JSON', '{"error":"not found"}', 'JSON'],
    ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid', 'Git LFS'],
    ['a ZIP archive', 'PK\u0003\u0004aaaaaaaaaaaaaaaaa', 'ZIP'],
    ['.osm.bz2', 'BZh91AY&SY0000000', 'bzip2'],
    ['text', 'hello world, this is no map', 'does not begin with the header of a block'],
    ['three bytes', 'abc', 'truncated'],
  ])('%s', (_, content, words) => {
    expect(refusal(fileOf(Buffer.from(content, 'latin1')))).toContain(words);
  });

  test('gzip, which begins with bytes that are no text', () => {
    expect(refusal(fileOf(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0])))).toContain('gzip');
  });

  test('a folder, and nothing at all', () => {
    expect(refusal(temporaryFolder())).toBe('unreadable: this is not a file');
    expect(refusal(join(temporaryFolder(), 'none'))).toContain('unreadable: the file cannot be opened: ENOENT');
  });

  test('a map without roads', () => {
    const path = writeOsmFile({ nodes: [{ id: 1, longitude: 0, latitude: 0 }], ways: [{ id: 1, refs: [1, 1], tags: { waterway: 'canal' } }], relations: [] });
    expect(() => inspectOsm(path)).toThrow('the file holds no road: 1 nodes, 1 ways');
  });
});

describe('a file of a kind that is not understood says what to do:', () => {
  test.each([[4, 'lzma'], [5, 'bzip2'], [6, 'lz4'], [7, 'zstd']])('compression %i', (compressedAs, name) => {
    expect(refusal(fileOf(header(), blob({ content: Buffer.from('abc'), compressedAs })))).toMatch(new RegExp(`^unsupported: the block at byte \\d+ cannot be used: it is compressed with ${name}; convert`));
  });

  test('history, and features of the future', () => {
    expect(refusal(fileOf(header([4, 'HistoricalInformation'])))).toContain('osmium time-filter');
    expect(refusal(fileOf(header([4, 'Telepathy'])))).toBe('unsupported: the block at byte 0 cannot be used: it requires "Telepathy", which this program does not know');
  });
});

describe('a damaged file is refused:', () => {
  const cases: [string, Uint8Array[], string][] = [
    ['it has a header and no data', [header()], 'truncated: the file ends after its header'],
    ['it does not begin with a header', [data()], 'not_pbf: this is not an .osm.pbf file: it does not begin with a block "OSMHeader"'],
    ['it has two headers', [header(), data(), header()], 'a second header at byte'],
    ['the header of a block is too long', [header(), blob({ headerBytes: 65_536 })], 'its header claims 65536 bytes'],
    ['a block is too long', [header(), blob({ dataBytes: 32 * 1024 * 1024 })], 'too_large: the block at byte'],
    ['a block goes on past the end', [header(), blob({ dataBytes: 31 * 1024 * 1024 })], 'truncated: the file ends at byte'],
    ['the content is larger than it claims', [header(), blob({ content: Buffer.alloc(5000), rawBytes: 4000 })], 'its content is larger than the 4000 bytes it claims'],
    ['the content is smaller than it claims', [header(), blob({ content: Buffer.alloc(5000), rawBytes: 6000 })], 'it has 5000 bytes of content and claims 6000'],
    ['the content claims too much', [header(), blob({ rawBytes: 2 ** 31 - 1 })], 'too_large'],
    ['a little unpacks to very much', [header(), blob({ content: Buffer.alloc(30 * 1024 * 1024) })], 'no map data does that'],
    ['the content is not zlib', [header(), Buffer.from(blob({ content: Buffer.from('abcdefgh') }).toString('latin1').replace('x\u009c', 'xx'), 'latin1')], 'it cannot be unpacked'],
    ['a block has no content', [header(), blob({ compressedAs: 9, content: Buffer.from('abc') })], 'it has no content'],
    ['a number never ends', [header(), blob({ content: Buffer.from([0x88, 0x01, ...Array.from({ length: 11 }, () => 0x80)]) })], 'a number of more than 10 bytes'],
    ['a number goes past the end', [header(), blob({ content: Buffer.from([0x88, 0x01, 0x80]) })], 'goes on past the end'],
    ['a number is beyond what is exact', [header(), data([17, 2 ** 53])], 'beyond 2^53'],
    ['a field has no number', [header(), blob({ content: Buffer.from([0x02, 0x00]) })], 'a field with the number 0'],
    ['a field is longer than its message', [header(), blob({ content: Buffer.from([0x0a, 0x05, 0x00]) })], 'field 1 of 5 bytes where only 1 are left'],
    ['a text is not in the block', [header(), data([1, strings('a')], [2, message([3, message([2, packed('unsigned', 1)], [3, packed('unsigned', 2)])])])], 'text 2 where the block has 2'],
    ['a way has a key without a value', [header(), data([1, strings('a')], [2, message([3, message([2, packed('unsigned', 1)])])])], 'more keys than values'],
    ['nodes have fewer places than ids', [header(), data([2, message([2, message([1, packed('zigzag', 1, 1)], [8, packed('zigzag', 1)], [9, packed('zigzag', 1)])])])], 'past the end'],
    ['nodes have more places than ids', [header(), data([2, message([2, message([1, packed('zigzag', 1)], [8, packed('zigzag', 1, 2)], [9, packed('zigzag', 1, 2)])])])], 'more places or tags than ids'],
    ['a node lies nowhere on Earth', [header(), data([2, message([2, message([1, packed('zigzag', 1)], [8, packed('zigzag', 950_000_000)], [9, packed('zigzag', 1)])])])], 'node 1 lies at longitude 1e-7 and latitude 95'],
    ['a member is of no known type', [header(), data([1, strings('a')], [2, message([4, message([8, packed('unsigned', 1)], [9, packed('zigzag', 1)], [10, packed('unsigned', 3)])])])], 'no known type'],
    ['a relation has more roles than members', [header(), data([1, strings('a')], [2, message([4, message([8, packed('unsigned', 1, 1)], [9, packed('zigzag', 1)], [10, packed('unsigned', 1)])])])], 'more roles'],
  ];
  test.each(cases)('%s', (_, parts, words) => {
    expect(refusal(fileOf(...parts))).toContain(words);
  });
});

describe('the small town,', () => {
  const whole = readFileSync(writeOsmFile(osmTown()));

  test('cut off anywhere, is refused, unless nothing but whole blocks is left', () => {
    const path = join(temporaryFolder(), 'cut.osm.pbf');
    const passed: number[] = [];
    for (let length = 0; length < whole.length; length += length < 300 ? 1 : 37) {
      writeFileSync(path, whole.subarray(0, length));
      if (refusal(path) === 'read without an error') passed.push(length);
    }
    expect(passed.length).toBeLessThan(3);
  });

  test('with a thousand different mutations, is read or refused and never harms the reader', () => {
    const path = join(temporaryFolder(), 'mutated.osm.pbf');
    const plain = readFileSync(writeOsmFile(osmTown(), { compression: 'none' }));
    const random = randomFrom(5);
    let refused = 0;
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 1000; i++) {
      // In the compressed file zlib's checksum catches nearly all; in the plain one everything reaches the decoder.
      writeFileSync(path, mutated(i % 4 === 0 ? whole : plain, random));
      if (refusal(path) !== 'read without an error') refused++;
    }
    expect(refused).toBeGreaterThan(100);
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });
});

test('a fresh error of the visitor passes through as it is', () => {
  const path = writeOsmFile(osmTown());
  expect(() => readOsm(path, { node: () => { throw new TypeError('mine'); } })).toThrow(new TypeError('mine'));
});

function mutated(bytes: Buffer, random: ReturnType<typeof randomFrom>): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = random.between(1, 4); count > 0; count--) {
    const at = random.below(copy.length);
    const kind = random.below(4);
    if (kind === 0) copy[at] ^= 1 << random.below(8);
    else if (kind === 1) copy[at] = random.below(256);
    else if (kind === 2) copy.fill(random.pick([0, 255]), at, Math.min(copy.length, at + random.between(1, 16)));
    else copy.copyWithin(at, random.below(copy.length), random.below(copy.length));
  }
  return copy;
}
