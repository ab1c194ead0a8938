import type { Input } from '../command.ts';
import type { Config, StoredContext } from '../config-store.ts';
import type { Context } from '../context.ts';
import { wrongUsage } from '../failures.ts';
import { renderRecord } from '../record-view.ts';
import { renderTable } from '../table.ts';

export async function listContexts(_input: Input, context: Context): Promise<void> {
  const config = context.config.read();
  const rows = Object.entries(config.contexts).map(([name, stored]) => ({ name, is_current: name === config.current, url: stored.url, token: masked(stored.token), business: stored.business ?? null }));
  if (context.isJson) return context.printJson({ items: rows });
  if (rows.length === 0) return context.note('none; milkrun sign-in makes one');
  context.print(renderTable([
    { title: '', value: (row) => (row.is_current ? '*' : ' ') },
    { title: 'name', value: (row) => row.name }, { title: 'url', value: (row) => row.url },
    { title: 'credential', value: (row) => row.token }, { title: 'business', value: (row) => row.business },
  ], rows, context));
}

export async function showContext(_input: Input, context: Context): Promise<void> {
  const { contextName, url, token, business } = context.connection;
  const shown = { context: contextName, url, token: masked(token), business: business ?? null, file: context.config.path };
  if (context.isJson) context.printJson(shown);
  else context.print(renderRecord(shown, context.paint));
}

export async function switchContext({ operands: [name] }: Input, context: Context): Promise<void> {
  context.config.change((config) => {
    demand(config, name);
    config.current = name;
  });
  context.note(`using the context ${name}`);
}

/** Another service drops the credential and the business: they belong to the one before. */
export async function setContext({ operands: [name] }: Input, context: Context): Promise<void> {
  const { url, token, business } = context.connection;
  const stored: StoredContext = { url, ...(token ? { token } : {}), ...(business ? { business } : {}) };
  context.config.change((config) => {
    config.contexts[name] = stored;
    config.current ??= name;
  });
  context.note(`stored the context ${name}`);
}

export async function removeContext({ operands: [name] }: Input, context: Context): Promise<void> {
  context.config.change((config) => {
    demand(config, name);
    delete config.contexts[name];
    if (config.current === name) delete config.current;
    if (config.current_driver === name) delete config.current_driver;
  });
  context.note(`forgot the context ${name}; a session in it has not been ended`);
}

function demand(config: Config, name: string): void {
  if (!config.contexts[name]) throw wrongUsage(`there is no context ${JSON.stringify(name)}`, 'see which there are with: milkrun context list');
}

/** Enough to recognise it by. */
const masked = (token: string | undefined): string | null => (token ? `${token.slice(0, 7)}…` : null);
