import { at, readBlobs } from './blobs.ts';
import { DataBlockDecoder } from './data-block.ts';
import type { ElementVisitor } from './data-block.ts';
import type { OsmHeader } from './elements.ts';
import { decodeHeader } from './header-block.ts';
import { OsmFileError } from './osm-file-error.ts';

export interface ReadOptions {
  /** Called after each block with the share of the file that is read, up to 1. */
  onProgress?: (fraction: number) => void;
}

/**
 * Reads an .osm.pbf file from its beginning to its end and shows each element to the visitor, in the order of the file. One block is in
 * memory at a time. Throws OsmFileError where the file is not whole, not sound or not of a kind that is understood; what was shown until
 * then should be thrown away. It does not wait for anything: call it in a thread or a process of its own.
 */
export function readOsm(path: string, visitor: ElementVisitor, options: ReadOptions = {}): OsmHeader {
  let header: OsmHeader | null = null;
  let dataBlocks = 0;
  const decoder = new DataBlockDecoder(visitor);
  for (const blob of readBlobs(path)) {
    if (blob.type === 'OSMData') {
      at(blob.offset, () => decoder.decode(blob.content));
      dataBlocks++;
    } else if (header === null) {
      header = at(blob.offset, () => decodeHeader(blob.content));
    } else {
      throw new OsmFileError('corrupt', `a second header at byte ${blob.offset}: were several files joined? Merge them with "osmium merge"`);
    }
    options.onProgress?.(blob.end / blob.fileBytes);
  }
  if (header === null || dataBlocks === 0) throw new OsmFileError('truncated', 'the file ends after its header: it holds no map data');
  return header;
}
