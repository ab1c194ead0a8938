import { existsSync } from 'node:fs';
import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { wrongUsage } from '../failures.ts';
import { showLoaded, type Loaded } from './loaded-view.ts';
import { readScenarioFile } from './read-scenario-file.ts';
import { storeScenario } from './store-scenario.ts';

interface Options {
  anchorDate?: string;
  mode?: 'merge' | 'replace';
  createName?: string;
  id?: string;
}

const timeoutMs = 300_000;

export async function loadScenario({ operands: [fileOrId], options }: Input, context: Context): Promise<void> {
  const { anchorDate, mode } = options as Options;
  const collection = fillPath('/api/v1/businesses/{id}/scenarios', {}, context);
  const id = await makeSureItIsThere(fileOrId, options as Options, collection, context);
  const body = { ...(anchorDate ? { anchor_date: anchorDate } : {}), ...(mode ? { mode } : {}) };
  const loaded = await context.client.send<Loaded>({ method: 'POST', path: `${collection}/${encodeURIComponent(id)}/load`, body, timeoutMs });
  if (context.isJson) context.printJson({ scenario_id: id, ...loaded });
  else showLoaded(id, loaded, context);
}

/** What looks like a file and is none is a slip of the hand, and not the id of a scenario. */
async function makeSureItIsThere(fileOrId: string, { createName, id }: Options, collection: string, context: Context): Promise<string> {
  const isFile = existsSync(fileOrId);
  if (!isFile && (/\.json$/i.test(fileOrId) || fileOrId.includes('/'))) throw wrongUsage(`there is no file ${fileOrId}`);
  if (!isFile) {
    if (createName !== undefined || id !== undefined) throw wrongUsage(`there is no file ${fileOrId}; --create-name and --id are for files`);
    return fileOrId;
  }
  const file = readScenarioFile(fileOrId);
  const scenario = { ...file, ...(createName === undefined ? {} : { name: createName }), ...(id === undefined ? {} : { id }) };
  const stored = await storeScenario(context.client, collection, scenario);
  context.note(`scenario ${scenario.id} ${stored}: ${scenario.nodes.length} nodes, ${scenario.edges.length} edges`);
  return scenario.id;
}
