import type { Bounds, OsmHeader } from './elements.ts';
import { OsmFileError } from './osm-file-error.ts';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** What a reader must understand to read a file at all. */
const KNOWN_FEATURES = ['OsmSchema-V0.6', 'DenseNodes'];
const NANODEGREES_PER_UNIT = 100;

export function decodeHeader(bytes: Uint8Array): OsmHeader {
  const block = new WireReader(bytes);
  const header: OsmHeader = { bounds: null, requiredFeatures: [], optionalFeatures: [], writingProgram: null, replicationTimestamp: null };
  while (block.nextField()) {
    if (block.field === 1) header.bounds = decodeBounds(block.content());
    else if (block.field === 4) header.requiredFeatures.push(block.text());
    else if (block.field === 5) header.optionalFeatures.push(block.text());
    else if (block.field === 16) header.writingProgram = block.text();
    else if (block.field === 32) header.replicationTimestamp = block.signedNumber();
    else block.skip();
  }
  refuseUnknownFeatures(header.requiredFeatures);
  return header;
}

function refuseUnknownFeatures(features: string[]): void {
  if (features.includes('HistoricalInformation')) {
    throw new OsmFileError('unsupported', 'it holds the history of the map, with deleted and superseded objects; take a plain extract, or make one with "osmium time-filter"');
  }
  const unknown = features.find((feature) => !KNOWN_FEATURES.includes(feature));
  if (unknown !== undefined) throw new OsmFileError('unsupported', `it requires "${unknown.slice(0, 100)}", which this program does not know`);
}

function decodeBounds(box: WireReader): Bounds {
  const sides: Record<number, number> = {};
  while (box.nextField()) {
    if (box.field >= 1 && box.field <= 4) sides[box.field] = Math.round(box.zigzagNumber() / NANODEGREES_PER_UNIT);
    else box.skip();
  }
  const [westE7, eastE7, northE7, southE7] = [1, 2, 3, 4].map((field) => sides[field] ?? 0);
  return { westE7, southE7, eastE7, northE7 };
}

export function encodeHeader(header: OsmHeader): WireWriter {
  const block = new WireWriter();
  if (header.bounds) {
    const { westE7, eastE7, northE7, southE7 } = header.bounds;
    const box = new WireWriter();
    [westE7, eastE7, northE7, southE7].forEach((side, i) => box.zigzagField(i + 1, side * NANODEGREES_PER_UNIT));
    block.messageField(1, box);
  }
  for (const feature of header.requiredFeatures) block.textField(4, feature);
  for (const feature of header.optionalFeatures) block.textField(5, feature);
  if (header.writingProgram !== null) block.textField(16, header.writingProgram);
  if (header.replicationTimestamp !== null) block.signedField(32, header.replicationTimestamp);
  return block;
}
