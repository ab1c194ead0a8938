import type { AsyncCommand } from 'fast-check';
import type { Client, Reply } from '../support/client.ts';
import { compare } from './compare.ts';
import { checkInvariants } from './invariants.ts';
import { newVersions } from './versions.ts';
import { observe, type Seen } from './seen.ts';
import { settle } from './execution.ts';
import { shownToDriver } from './shown.ts';
import { agree, Disagreement, type Model } from './state.ts';
import type { Real } from './world.ts';

/** One thing that happens at one moment: what the model makes of it, and whether the answer was right. Throws a disagreement. */
export type Step = (model: Model, seen: Seen) => void;

/** Something to do, with what it needs chosen from a state of the model. */
export interface Prepared {
  text: string;
  /** Does it; what has happened is told as one step, or as several between which others may come. */
  send(real: Real): Promise<Step[]>;
  /** Of a single request: the same with other headers, so that it can be sent again. */
  request?: Request;
}

/** Chooses from the state; null where there is nothing to do it to. */
export type Act = (model: Model) => Prepared | null;

export interface Request {
  method: 'POST' | 'PATCH' | 'DELETE' | 'GET';
  path(real: Real): string;
  body?(real: Real): unknown;
  headers?(real: Real): Record<string, string>;
  /** The administrator where absent. */
  client?(real: Real): Client;
  steps(reply: Reply, real: Real): Step[];
}

/** An act that is a single request. */
export function request(text: string, what: Request): Prepared {
  return { text, request: what, send: async (real) => what.steps(await sendRequest(real, what), real) };
}

export function sendRequest(real: Real, { method, path, body, headers, client = ({ admin }) => admin }: Request, more: Record<string, string> = {}): Promise<Reply> {
  const to = client(real);
  const all = { ...headers?.(real), ...more };
  switch (method) {
    case 'GET': return to.get(path(real), all);
    case 'DELETE': return to.delete(path(real), all);
    case 'PATCH': return to.patch(path(real), body?.(real), all);
    case 'POST': return to.post(path(real), body?.(real), all);
  }
}

/** A path below that of the business. */
export const below = (path: string) => (real: Real): string => `${real.path}/${path}`;

/** Why a request has to be refused; null where it has to succeed. */
export type Refusal = { status: 401 | 403 | 404 | 409 | 412 | 422; because: string } | null;
export const refusal = (status: NonNullable<Refusal>['status'], because: string): NonNullable<Refusal> => ({ status, because });

/** Whether the request has succeeded, as it should have. */
export function answers(reply: Reply, success: number, expected: Refusal): boolean {
  const status = expected?.status ?? success;
  agree(reply.status === status, () => `it was answered ${reply.status} ${reply.text.slice(0, 400)}, but should be ${status}${expected ? `: ${expected.because}` : ''}`);
  return expected === null;
}

/** Seconds between one command and the next; the clock stands still in between. A multiple of what availability rounds to. */
const tickMs = 15_000;

/** Does something and lets the model follow. */
export async function perform(state: { model: Model }, real: Real, prepared: Prepared, fit: (model: Model, steps: Step[], seen: Seen) => Model = inOrder): Promise<void> {
  const { model } = state;
  model.nowMs += tickMs;
  real.clock.set(model.nowMs);
  real.steps++;
  const steps = await prepared.send(real);
  const before = real.seen;
  const seen = await observe(real, before);
  real.seen = seen;
  state.model = fit(model, steps, seen);
  checkInvariants(before, seen, { nowMs: model.nowMs, isSingle: fit === inOrder });
}

const inOrder = (model: Model, steps: Step[], seen: Seen): Model => follow(model, steps, seen);

/** The model after these steps, where it agrees with what is seen. */
export function follow(model: Model, steps: Step[], seen: Seen): Model {
  for (const step of steps) {
    step(model, seen);
    settle(model);
  }
  receive(model);
  const unclaimed = newVersions(model, seen);
  agree(unclaimed.length === 0, () => `planning versions come from nowhere: ${unclaimed.map((row) => `${row.vehicle_id} on ${row.date}`).join(', ')}`);
  compare(model, seen);
  return model;
}

/** To look, the drivers' apps have been asked: their plans have been received. */
function receive(model: Model): void {
  for (const { id, isSignedIn } of Object.values(model.drivers)) {
    if (isSignedIn) for (const planId of Object.keys(shownToDriver(model, id).plans)) model.plans[planId].receivedMs ??= model.nowMs;
  }
}

/** A command of fast-check, which knows a box that the model is in. */
export function commandOf(act: Act, name: string): AsyncCommand<{ model: Model; log: string[] }, Real> {
  return {
    check: ({ model }) => act(model) !== null,
    async run(state, real) {
      const prepared = act(state.model)!;
      state.log.push(prepared.text);
      try {
        await perform(state, real, prepared, fitOf.get(prepared));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        error.message = `after ${state.log.length} steps, ${prepared.text}: ${error.message}\n\nThe steps were\n${state.log.map((step, index) => `${String(index + 1).padStart(3)}. ${step}`).join('\n')}`;
        if (error instanceof Disagreement) error.stack = error.message;
        throw error;
      }
    },
    toString: () => name,
  };
}

/** Acts whose steps may have happened in more than one order bring their own way to find out which. */
export const fitOf = new WeakMap<Prepared, (model: Model, steps: Step[], seen: Seen) => Model>();
