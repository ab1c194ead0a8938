import type { Document } from './document.ts';
import { parsed } from './json.ts';
import { signature } from './minimise.ts';
import type { Exchange } from './shot.ts';

/** What has been counted. */
export class Totals {
  requests = 0;
  /** By first digit; 0 where there was no answer. */
  readonly classes = new Map<number, number>();
  /** How often, by `operation status`. */
  readonly pairs = new Map<string, number>();
  /** How often, by what makes failures the same one. */
  readonly failures = new Map<string, number>();
  /** The sentences of 503s, by how often. */
  readonly unavailable = new Map<string, number>();
  readonly slowest: { ms: number; what: string }[] = [];
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  count({ shot, reply, operation }: Exchange): void {
    this.requests++;
    add(this.classes, Math.floor(reply.status / 100));
    add(this.pairs, `${operation?.id ?? (shot.raw ? 'raw' : 'none')} ${reply.status}`);
    if (reply.status === 503) add(this.unavailable, (parsed(reply.body) as { error?: { message?: string } })?.error?.message ?? 'without a message');
    if (operation?.id === 'jobs.events') return;
    this.slowest.push({ ms: Math.round(reply.ms), what: `${operation?.id} ${reply.status}` });
    this.slowest.sort((a, b) => b.ms - a.ms).splice(5);
  }

  /** True where this one has not been seen before. */
  fail(exchange: Exchange, problems: string[]): boolean {
    const name = signature(exchange, problems);
    add(this.failures, name);
    return this.failures.get(name) === 1;
  }

  /** How often an operation has succeeded. */
  successes(id: string): number {
    return [...this.pairs].filter(([pair]) => new RegExp(`^${RegExp.escape(id)} 2`).test(pair)).reduce((sum, [, count]) => sum + count, 0);
  }

  /** The operations that have never succeeded. */
  neverDone(): string[] {
    return this.#document.operations.map(({ id }) => id).filter((id) => this.successes(id) === 0);
  }

  /** For people. */
  told(): string {
    const { operations } = this.#document;
    const rows = operations.map(({ id }) => `${String(this.successes(id)).padStart(7)}  ${id.padEnd(30)} ${[...this.pairs].filter(([pair]) => pair.startsWith(`${id} `)).map(([pair, count]) => `${pair.slice(id.length + 1)}:${count}`).toSorted().join(' ')}`);
    return [
      `${'2xx'.padStart(7)}  operation`, ...rows, '',
      `requests ${this.requests}; ${[...this.classes].toSorted(([a], [b]) => a - b).map(([digit, count]) => `${digit === 0 ? 'no answer' : `${digit}xx`} ${count}`).join(', ')}`,
      `operations ${operations.length}, called ${operations.filter(({ id }) => [...this.pairs.keys()].some((pair) => pair.startsWith(`${id} `))).length}, succeeded ${operations.length - this.neverDone().length}; pairs of operation and status ${[...this.pairs.keys()].filter((pair) => !/^(none|raw) /.test(pair)).length}`,
      `503: ${[...this.unavailable].map(([message, count]) => `${count} × ${message}`).join('; ') || 'none'}`,
      `slowest: ${this.slowest.map(({ ms, what }) => `${ms} ms ${what}`).join(', ')}`,
      `failures ${[...this.failures.values()].reduce((sum, count) => sum + count, 0)}, different ones ${this.failures.size}`,
      ...[...this.failures].map(([name, count]) => `  ${count} × ${name}`),
    ].join('\n');
  }
}

const add = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
