import type { Dice } from './dice.ts';

/** A request that is to follow another one. What it does not say is drawn as usual. */
export interface Sequel {
  operation: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** The whole body. */
  body?: unknown;
  /** Fields of the body besides those that are drawn. */
  fields?: Record<string, unknown>;
  token?: string;
  /** Nothing is added to the query. */
  isExact?: boolean;
}

/** A custom field of the business, as its schema defines it. */
export interface CustomField {
  id: string;
  type: string;
  multiple?: boolean;
  driver_editable?: boolean;
  choices?: { id: string }[];
}

export interface DriverSession {
  token: string;
  /** The order that this driver can start or end next, as the last refresh or action said. */
  next?: { id: string; status: string };
}

/** One business, all that is known of it, and what is to be asked next. Everything in it was made over the interface. */
export interface World {
  businessId: string;
  /** A business of somebody else, with a record of each kind under the id `elsewhere`. */
  foreignId: string;
  /** The address that ours signed up with. */
  email: string;
  /** Sessions of administrators: of ours, and of somebody else. */
  admin: string;
  outsider: string;
  /** The membership of `admin`, which must stay. */
  membershipId: string;
  /** The monday that the records are about. */
  monday: string;
  /** The road network that work is planned on. */
  scenarioId: string;
  /** Where webhooks may go. */
  webhookUrl: string;
  /** Images by content type. */
  images: Record<string, Buffer[]>;
  ids: Pools;
  /** Tokens and codes by kind: `session`, `activation_code`, `invitation_code`, `dead`, and keys by each of their scopes. */
  secrets: Pools;
  drivers: DriverSession[];
  /** The latest that has been seen, by id as it stands in paths. */
  revisions: Map<string, number>;
  /** The custom fields of each schema. */
  fields: Map<string, CustomField[]>;
  sequels: Sequel[];
  /** The operations that have succeeded. */
  done: Set<string>;
  /** Epoch milliseconds. */
  now(): number;
  /** How many requests there have been. */
  asked: number;
}

/** What has been seen of each kind, the latest few. */
export class Pools {
  readonly #seen = new Map<string, string[]>();

  add(kind: string, value: unknown): void {
    if (typeof value !== 'string') return;
    const seen = this.#seen.get(kind) ?? [];
    const at = seen.indexOf(value);
    if (at >= 0) seen.splice(at, 1);
    seen.push(value);
    if (seen.length > seenMax) seen.shift();
    this.#seen.set(kind, seen);
  }

  remove(kind: string, value: string): void {
    this.#seen.set(kind, (this.#seen.get(kind) ?? []).filter((each) => each !== value));
  }

  clear(kind: string): void {
    this.#seen.delete(kind);
  }

  removeAll(value: string): void {
    for (const kind of this.#seen.keys()) this.remove(kind, value);
  }

  /** One of them, mostly one of the latest. Takes as many draws whether there are any or not. */
  pick(kind: string, dice: Dice): string | undefined {
    const seen = this.#seen.get(kind) ?? [];
    const [isLate, back, anywhere] = [dice.chance(0.6), dice.int(1, 8), dice.int(0, seenMax * 97)];
    if (seen.length === 0) return undefined;
    return isLate ? seen.at(-Math.min(back, seen.length)) : seen[anywhere % seen.length];
  }

  all(kind: string): readonly string[] {
    return this.#seen.get(kind) ?? [];
  }
}

const seenMax = 60;

export function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
