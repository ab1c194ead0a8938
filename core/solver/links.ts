import { NONE } from './problem.ts';
import type { State } from './state.ts';

/** A plan as links between nodes, as in the state. */
export type Links = Pick<State, 'next' | 'prev' | 'slotOf' | 'slotCount'>;

/** Is a route of the state the same in another plan? */
export function isSameRoute({ next, firstStart, firstEnd }: State, other: Pick<Links, 'next'>, slot: number): boolean {
  const end = firstEnd + slot;
  let node = firstStart + slot;
  while (node !== end && next[node] === other.next[node]) node = next[node];
  return node === end;
}

/** Does a task stand between the same two others as in another plan? At either end of a route one sentinel is as good as another. */
export function isAlike(state: State, links: Links, task: number): boolean {
  const { firstStart, slotOf, next, prev } = state;
  if (slotOf[task] === NONE || links.slotOf[task] === NONE) return slotOf[task] === links.slotOf[task];
  const isSame = (a: number, b: number) => a === b || a >= firstStart && b >= firstStart;
  return isSame(next[task], links.next[task]) && isSame(prev[task], links.prev[task]);
}

export function linksOf({ nodeCount, firstStart, firstEnd, compiled }: State, slots: number[][]): Links {
  const links = {
    next: new Int32Array(nodeCount).fill(NONE), prev: new Int32Array(nodeCount).fill(NONE), slotOf: new Int32Array(nodeCount).fill(NONE),
    slotCount: Int32Array.from({ length: compiled.slotCount }, (_, slot) => slots[slot].length),
  };
  slots.forEach((tasks, slot) => {
    let last = firstStart + slot;
    for (const node of [...tasks, firstEnd + slot]) {
      links.next[last] = node;
      links.prev[node] = last;
      links.slotOf[node] = slot;
      last = node;
    }
  });
  return links;
}
