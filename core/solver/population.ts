import { NONE } from './problem.ts';
import type { Random } from './random.ts';
import type { SlotPlan } from './search.ts';
import { isBetter } from './search-value.ts';

export interface Member extends SlotPlan {
  /** Who comes directly behind each task; NONE at the end of a route, and -2 where the task is not served. */
  follower: Int32Array;
  nth: number;
}

/** Plans that are good and not alike. */
export interface Population {
  members: Member[];
  add(plan: SlotPlan): void;
  /** Two parents, each the better one of two at random, by what it is worth and by how much it differs from the others. Of more than one member. */
  pickTwo(random: Random): [Member, Member];
}

/** When there are `most`, the worst go until `least` are left. */
const SIZE = { least: 15, most: 21 };
/** How different a plan is counts by its nearest few, and of the best few it counts little. */
const NEAREST = 3;
const ELITE = 3;
const NOT_SERVED = -2;

/** Survivors and parents by the biased fitness of T. Vidal et al., Operations Research 60 (2012): rank by value plus rank by distance to the nearest others. */
export function createPopulation(taskCount: number): Population {
  const members: Member[] = [];
  const distances = new Map<Member, Map<Member, number>>();
  let added = 0;
  let fitness: Map<Member, number> | null = null;

  const distance = (a: Member, b: Member): number => {
    const [one, other] = a.nth < b.nth ? [a, b] : [b, a];
    const known = distances.get(one)?.get(other);
    if (known !== undefined) return known;
    let count = 0;
    for (let task = 0; task < taskCount; task++) if (a.follower[task] !== b.follower[task]) count++;
    distances.set(one, (distances.get(one) ?? new Map()).set(other, count));
    return count;
  };

  const fitnessOf = (): Map<Member, number> => {
    const byValue = members.toSorted((a, b) => (isBetter(a.value, b.value) ? -1 : isBetter(b.value, a.value) ? 1 : a.nth - b.nth));
    const lonely = new Map(members.map((member) => {
      const nearest = members.filter((other) => other !== member).map((other) => distance(member, other)).toSorted((a, b) => a - b).slice(0, NEAREST);
      return [member, nearest.reduce((sum, value) => sum + value, 0)];
    }));
    const byDistance = members.toSorted((a, b) => lonely.get(b)! - lonely.get(a)! || a.nth - b.nth);
    const rank = new Map(byValue.map((member, i) => [member, i]));
    const weight = 1 - Math.min(1, ELITE / members.length);
    return new Map(byDistance.map((member, i) => [member, rank.get(member)! + weight * i]));
  };

  const isClone = (member: Member): boolean => members.some((other) => other !== member && distance(member, other) === 0
    && (isBetter(other.value, member.value) || !isBetter(member.value, other.value) && other.nth < member.nth));

  const removeWorst = (): void => {
    const ranks = fitnessOf();
    const clones = members.filter(isClone);
    const worst = (clones.length > 0 ? clones : members).reduce((found, member) => (ranks.get(member)! > ranks.get(found)! ? member : found));
    members.splice(members.indexOf(worst), 1);
    distances.delete(worst);
    for (const others of distances.values()) others.delete(worst);
  };

  const pick = (random: Random, among: Member[]): Member => {
    fitness ??= fitnessOf();
    const [one, other] = [among[random.below(among.length)], among[random.below(among.length)]];
    return fitness.get(one)! <= fitness.get(other)! ? one : other;
  };

  return {
    members,
    add(plan) {
      const follower = new Int32Array(taskCount).fill(NOT_SERVED);
      for (const tasks of plan.slots) tasks.forEach((task, i) => (follower[task] = tasks[i + 1] ?? NONE));
      members.push({ ...plan, follower, nth: added++ });
      fitness = null;
      if (members.length > SIZE.most) while (members.length > SIZE.least) removeWorst();
    },
    pickTwo(random) {
      const one = pick(random, members);
      return [one, pick(random, members.filter((member) => member !== one))];
    },
  };
}
