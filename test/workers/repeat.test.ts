import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { repeat } from '../../workers/repeat.ts';

/** A log that is read as lines. */
function heard() {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'warn' }, { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) }) };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
};

test('rounds follow one another until it is closed, and a failed one is said and does not end them', async () => {
  const { lines, log } = heard();
  let rounds = 0;
  const repeated = repeat(async () => {
    if (++rounds === 2) throw new Error('once');
    return 0;
  }, { log, failure: 'it failed', failurePauseMs: 1 });
  await until(() => rounds > 5);
  await repeated.close();
  const ended = rounds;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect({ more: rounds - ended, lines }).toEqual({ more: 0, lines: ['it failed'] });
});

test('closing waits for the round in hand, tells it, and breaks off a pause', async () => {
  const { lines, log } = heard();
  let told = false;
  const inHand = repeat((stopping) => new Promise((_resolve, reject) => {
    stopping.addEventListener('abort', () => { told = true; reject(new Error('broken off')); });
  }), { log, failure: 'it failed', failurePauseMs: 1 });
  await inHand.close();
  let rounds = 0;
  const pausing = repeat(async () => { rounds++; return 3_600_000; }, { log, failure: 'it failed', failurePauseMs: 1 });
  await until(() => rounds === 1);
  await pausing.close();
  expect({ told, rounds, lines }).toEqual({ told: true, rounds: 1, lines: [] });
});
