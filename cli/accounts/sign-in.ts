import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { listAll } from '../derived/list-pages.ts';
import { readCredentials } from './read-credentials.ts';

interface Session {
  access_token: string;
  expires_at: string;
}

export async function signUp({ options }: Input, context: Context): Promise<void> {
  const credentials = await readCredentials(options, context, { isNew: true });
  const name = options.name as string | undefined;
  await context.clientAs(undefined).send({ method: 'POST', path: '/api/v1/accounts', body: { ...credentials, ...(name === undefined ? {} : { name }) } });
  context.note(`account created: ${credentials.email}`);
  await startSession(credentials, context);
}

export async function signIn({ options }: Input, context: Context): Promise<void> {
  await startSession(await readCredentials(options, context, { isNew: false }), context);
}

async function startSession(credentials: { email: string; password: string }, context: Context): Promise<void> {
  const session = await context.clientAs(undefined).send<Session>({ method: 'POST', path: '/api/v1/sessions', body: credentials });
  const business = await findBusiness(session.access_token, context);
  const { url, contextName } = context.connection;
  context.config.change((config) => {
    config.contexts[contextName] = { url, token: session.access_token, ...(business ? { business } : {}) };
    config.current = contextName;
  });
  if (context.isJson) context.printJson({ context: contextName, url, business: business ?? null, expires_at: session.expires_at });
  else context.note(`signed in at ${url} as ${credentials.email}; the context ${contextName} holds the session until ${session.expires_at}`);
  if (!context.isJson && !business) context.note('no business is chosen: milkrun businesses list, milkrun business use <id>, or milkrun businesses create --use');
}

/** The business that was chosen before, where the account still has it, else the only one. */
async function findBusiness(token: string, context: Context): Promise<string | undefined> {
  const businesses = await listAll<{ id: string }>(context.clientAs(token), '/api/v1/businesses');
  const chosen = businesses.find(({ id }) => id === context.connection.business);
  if (chosen) return chosen.id;
  return businesses.length === 1 ? businesses[0].id : undefined;
}
