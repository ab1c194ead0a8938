import type { Network, NetworkEdge } from '../../core/roads/network.ts';
import { randomFrom } from '../../scenarios/generator/random.ts';

/** Metres a second on every sixty-fourth, sixteenth and fourth street of a town, and on the others. */
const speeds = [28, 17, 12, 7];

/**
 * A town of so many crossings in each direction: streets of four classes, gaps and one-way streets among the smallest, all lengths and speeds
 * somewhat different, ways back too. The same in every run.
 */
export function generatedTown(width: number): Network {
  const random = randomFrom(7);
  return gridOf(width, (line) => {
    const rank = [64, 16, 4].findIndex((every) => line % every === 0);
    const isSmall = rank < 0;
    if (isSmall && random.chance(25)) return null;
    const metres = random.between(70, 140);
    const seconds = metres / (speeds.at(rank)! * (random.between(85, 115) / 100));
    const isOneWay = isSmall && random.chance(15);
    return { distance_meters: metres, time_seconds: seconds, ...(isOneWay ? {} : { bidirectional: true, reverse_time_seconds: seconds * (random.between(95, 110) / 100) }) };
  });
}

/** The same without classes: every street is about as fast as every other, which leaves nothing for a hierarchy to be made of. */
export function generatedFlatTown(width: number): Network {
  const random = randomFrom(7);
  return gridOf(width, () => {
    const metres = random.between(70, 140);
    const seconds = metres / (random.between(85, 115) / 10);
    return { distance_meters: metres, time_seconds: seconds, bidirectional: true, reverse_time_seconds: seconds * (random.between(95, 110) / 100) };
  });
}

type Street = Omit<NetworkEdge, 'id' | 'from' | 'to'>;

/** `street` says what each piece of a line of the grid is like, null for a gap. */
function gridOf(width: number, street: (line: number) => Street | null): Network {
  const network: Network = { nodes: [], edges: [] };
  const id = (x: number, y: number) => `n${y * width + x}`;
  const lay = (from: string, to: string, line: number) => {
    const kind = street(line);
    if (kind !== null) network.edges.push({ id: `e${network.edges.length}`, from, to, ...kind });
  };
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      network.nodes.push({ id: id(x, y), x: 10 + x / 800, y: 45 + y / 1200 });
      if (x > 0) lay(id(x - 1, y), id(x, y), y);
      if (y > 0) lay(id(x, y - 1), id(x, y), x);
    }
  }
  return network;
}
