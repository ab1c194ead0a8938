import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WEIGHT_MAX } from '../../../../core/roads/graph.ts';
import { contract } from '../../../../core/roads/hierarchy/contract.ts';
import { hierarchyFromBuffer } from '../../../../core/roads/hierarchy/hierarchy.ts';
import { manyToMany } from '../../../../core/roads/hierarchy/many-to-many.ts';
import { placesAt } from '../../../../core/roads/hierarchy/places.ts';
import { digraphOf, flatGrid, randomDigraphs, type Arc } from './random-digraphs.ts';

const street: Arc[] = [[0, 1, 10, 1], [1, 2, 10, 1], [2, 3, 10, 1], [3, 4, 10, 1]];

describe('a hierarchy', () => {
  test('has every node once, and arcs that lead upwards', () => {
    fc.assert(fc.property(randomDigraphs(), (graph) => {
      const { nodeCount, rankOf, nodeOf, coreStart, leaving, entering } = contract(graph)!;
      expect([...rankOf].toSorted((a, b) => a - b)).toEqual(Array.from({ length: nodeCount }, (_, rank) => rank));
      expect([...nodeOf].map((node) => rankOf[node])).toEqual(Array.from({ length: nodeCount }, (_, rank) => rank));
      for (const { first, end } of [leaving, entering]) {
        for (let rank = 0; rank < coreStart; rank++) {
          const ends = [...end.subarray(first[rank], first[rank + 1])];
          expect(ends.every((other) => other > rank)).toBe(true);
          expect(ends).toEqual([...new Set(ends)].toSorted((a, b) => a - b));
        }
      }
    }), { numRuns: 300 });
  });

  test('is the same bytes for the same graph', () => {
    fc.assert(fc.property(randomDigraphs(20), (graph) => {
      expect(Buffer.from(contract(graph)!.buffer).equals(Buffer.from(contract(graph)!.buffer))).toBe(true);
    }), { numRuns: 100 });
  });

  test('of a street contracts all of it, and puts no shortcut where none is needed', () => {
    const { coreStart, leaving, entering } = contract(digraphOf(5, street))!;
    expect(coreStart).toBe(5);
    expect(leaving.end.length + entering.end.length).toBeLessThanOrEqual(street.length + 1);
  });

  test('leaves those nodes in the core around which a sum would exceed 32 bits', () => {
    const graph = digraphOf(3, [[0, 1, WEIGHT_MAX, 5], [1, 2, 1, WEIGHT_MAX]]);
    const { seconds, metres } = manyToMany(contract(graph)!, { sources: placesAt([0]), targets: placesAt([2]) })!;
    expect([...seconds, ...metres]).toEqual([Math.ceil((WEIGHT_MAX + 1) / 1000), Math.ceil((WEIGHT_MAX + 5) / 100)]);
  });

  test('of a graph without hierarchy has a core when its work is over', () => {
    const graph = flatGrid(20);
    expect(contract(graph)!.coreStart).toBe(400);
    const { coreStart } = contract(graph, { workMax: 150_000 })!;
    expect(coreStart).toBeGreaterThan(0);
    expect(coreStart).toBeLessThan(400);
    expect(contract(graph, { workMax: 0 })!.coreStart).toBe(0);
  });

  test('of a roundabout with very many exits, or of no arcs at all, comes to an end', () => {
    const exits = Array.from({ length: 3_000 }, (_, exit): Arc[] => [[0, exit + 1, exit, 1], [exit + 1, 0, 7, 1], [exit + 1, 1 + ((exit + 1) % 3_000), 9, 1]]);
    const graph = digraphOf(3_001, exits.flat());
    const hierarchy = contract(graph, { workMax: 3_000_000 })!;
    expect(manyToMany(hierarchy, { sources: placesAt([5]), targets: placesAt([1_000]) })!.seconds[0]).toBe(2);
    expect(contract(digraphOf(3, []))!.coreStart).toBe(3);
  });

  test('that is being made tells how far it is, and can be stopped', () => {
    const told: number[] = [];
    expect(contract(flatGrid(20), { onProgress: (done) => told.push(done), shouldStop: () => told.length > 3 })).toBeNull();
    expect(told.at(-1)).toBeGreaterThan(0);
  });
});

describe('a hierarchy in a buffer', () => {
  const hierarchy = contract(digraphOf(5, street))!;
  const copyOf = (byteLength: number, byteOffset = 0) => {
    const copy = new SharedArrayBuffer(byteLength);
    const bytes = new Uint8Array(hierarchy.buffer);
    new Uint8Array(copy).set(bytes.subarray(0, Math.min(bytes.length, byteLength - byteOffset)), byteOffset);
    return copy;
  };

  test('is read back without a copy, also from the middle of another', () => {
    expect(hierarchyFromBuffer(hierarchy.buffer)).toEqual(hierarchy);
    const embedded = hierarchyFromBuffer(copyOf(hierarchy.byteLength + 100, 64), 64);
    expect(embedded).toMatchObject({ byteOffset: 64, byteLength: hierarchy.byteLength, rankOf: hierarchy.rankOf, entering: hierarchy.entering });
    embedded.rankOf[0] = 99;
    expect(new Int32Array(embedded.buffer)).toContain(99);
  });

  test('is refused when it is something else', () => {
    expect(() => hierarchyFromBuffer(new SharedArrayBuffer(8))).toThrow('shorter than its header');
    expect(() => hierarchyFromBuffer(new SharedArrayBuffer(640))).toThrow('not a road hierarchy');
    const other = copyOf(hierarchy.byteLength);
    new Uint32Array(other, 0, 2)[1] = 99;
    expect(() => hierarchyFromBuffer(other)).toThrow('layout 99');
    expect(() => hierarchyFromBuffer(copyOf(hierarchy.byteLength - 4))).toThrow('its header says');
  });
});
