import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client.ts';
import { CommandFailure, isStatus } from '../failures.ts';
import { exitCodes } from '../exit-codes.ts';
import { scenarioLists, type ScenarioFile } from './read-scenario-file.ts';

/** A city takes a while to be sent, checked and stored. */
const timeoutMs = 300_000;

export type Stored = 'created' | 'updated' | 'unchanged';

/** Brings the stored scenario of that id to what the file says. */
export async function storeScenario(client: Client, collection: string, scenario: ScenarioFile): Promise<Stored> {
  const path = `${collection}/${encodeURIComponent(scenario.id)}`;
  const stored = await readStored(client, path);
  if (!stored) {
    await create(client, collection, scenario);
    return 'created';
  }
  if (isSame(stored, scenario)) return 'unchanged';
  const { id: _id, ...body } = scenario;
  await client.send({ method: 'PATCH', path, body: { ...body, revision: stored.revision }, timeoutMs });
  return 'updated';
}

type StoredScenario = ScenarioFile & { revision: number };

async function readStored(client: Client, path: string): Promise<StoredScenario | null> {
  try {
    return await client.send<StoredScenario>({ method: 'GET', path, timeoutMs });
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

async function create(client: Client, path: string, body: ScenarioFile): Promise<void> {
  try {
    await client.send({ method: 'POST', path, body, timeoutMs });
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    throw new CommandFailure(exitCodes.conflict, error.message, `the id of a deleted scenario stays taken; store this one under another id with --id`);
  }
}

function isSame(stored: StoredScenario, scenario: ScenarioFile): boolean {
  return stored.name === scenario.name.trim() && scenarioLists.every((name) => isDeepStrictEqual(stored[name] ?? [], scenario[name]));
}
