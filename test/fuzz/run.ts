import { followUps, prepared } from './sequels.ts';
import { createWorld } from './create-world.ts';
import { diceOf } from './dice.ts';
import { readDocument, type Document, type Schema } from './document.ts';
import { judgeOf, type Judge } from './judge.ts';
import { learn } from './learn.ts';
import { makeShot } from './make-shot.ts';
import { smallest } from './minimise.ts';
import { senderTo, type Sender } from './send.ts';
import { told, type Exchange, type Shot } from './shot.ts';
import { Totals } from './totals.ts';
import type { Sequel, World } from './world.ts';

export interface Plan {
  url: string;
  webhookUrl: string;
  requests: number;
  seed: number;
  /** Worlds at the same time. Each is a sequence of its own, so this changes nothing in any of them. */
  lanes: number;
  /** Requests of one world at the same time. With more than one, what happens is not the same twice. */
  together: number;
  /** Only this world. */
  world?: number;
  onFailure?(failure: Failure): void | Promise<void>;
  onProgress?(totals: Totals): void;
}

export interface Failure {
  /** Where to find it again: `world 3, request 120`. */
  place: string;
  problems: string[];
  /** The smallest request found that fails in the same way, and what it was answered. */
  request: string;
  answer: string;
  requestId: string | undefined;
}

/** So many requests have one business; then a new one begins, so that lists stay short and every state comes again. */
export const requestsOfWorld = 1_000;

/** Sends generated requests and judges each answer by the document. */
export async function fuzz(plan: Plan): Promise<Totals> {
  const document = readDocument(await (await fetch(`${plan.url}/api/v1/openapi.json`)).json() as Schema);
  const totals = new Totals(document);
  const sender = senderTo(plan.url);
  const range = { document, sender, judge: judgeOf(document), totals, plan };
  const worlds = plan.world === undefined ? Array.from({ length: Math.ceil(plan.requests / requestsOfWorld) }, (_, nth) => nth) : [plan.world];
  const lane = async (): Promise<void> => {
    for (let nth = worlds.shift(); nth !== undefined; nth = worlds.shift()) await runWorld(range, nth);
  };
  await Promise.all(Array.from({ length: plan.lanes }, lane));
  sender.close();
  return totals;
}

interface Range {
  document: Document;
  sender: Sender;
  judge: Judge;
  totals: Totals;
  plan: Plan;
}

async function runWorld(range: Range, nth: number): Promise<void> {
  const { plan, totals } = range;
  const name = `fuzz-${plan.seed}-${nth}`;
  const world = await createWorld(plan.url, { name, scenario: nth % 5 === 4 ? 'town' : 'tiny', webhookUrl: plan.webhookUrl });
  const count = Math.min(requestsOfWorld, plan.requests - (plan.world === undefined ? nth * requestsOfWorld : 0));
  for (let at = 0; at < count; at += plan.together) {
    await Promise.all(Array.from({ length: Math.min(plan.together, count - at) }, (_, beside) => step(range, world, { nth, at: at + beside })));
    plan.onProgress?.(totals);
  }
}

async function step(range: Range, world: World, { nth, at }: { nth: number; at: number }): Promise<void> {
  const { document, judge, totals, plan } = range;
  if (at > 0 && at % renewedEvery === 0) world.sequels.unshift(renewal(world));
  else if (at % plannedEvery === 0) world.sequels.unshift(prepared('planning.preview', world, diceOf(plan.seed, nth, at, 2)));
  world.asked = at;
  const shot = makeShot(document, world, diceOf(plan.seed, nth, at));
  const exchange = await shoot(range, shot);
  totals.count(exchange);
  const problems = judge(exchange);
  learn(world, exchange);
  followUps(world, exchange, diceOf(plan.seed, nth, at, 1));
  if (problems.length === 0) return;
  const isNew = totals.fail(exchange, problems);
  if (!isNew) return;
  const small = await smallest(exchange, (other) => shoot(range, other), judge);
  const answer = `${small.reply.status} ${small.reply.body.toString().slice(0, 1_000)}`;
  await plan.onFailure?.({ place: `world ${nth}, request ${at} (${shot.aim}; ${shot.spoilt.join(', ') || 'nothing spoilt'})`, problems, request: told(small.shot), answer, requestId: exchange.reply.headers['x-request-id'] });
}

/** The business gets its sample records anew from time to time, since chance deletes them; and work has to be planned before drivers have any. */
const renewedEvery = 400;
const plannedEvery = 80;

const renewal = (world: World): Sequel => ({ operation: 'scenarios.load', params: { record_id: world.scenarioId }, body: { mode: 'replace', anchor_date: world.monday }, token: world.admin });

async function shoot({ document, sender }: Range, shot: Shot): Promise<Exchange> {
  const reply = await sender.send(shot);
  const method = shot.method === 'HEAD' ? 'GET' : shot.method;
  return { shot, reply, operation: shot.raw ? undefined : document.at(shot.path.split('?')[0]).get(method) };
}
