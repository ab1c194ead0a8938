import type { Input } from '../command.ts';
import type { Context } from '../context.ts';

interface Session {
  access_token: string;
  token_type: string;
  expires_at: string;
}

export async function signDriverIn({ options }: Input, context: Context): Promise<void> {
  const { url } = context.connection;
  const session = await context.clientAs(undefined).send<Session>({ method: 'POST', path: '/api/v1/driver/sessions', body: { activation_code: options.code } });
  if (context.isJson) return context.printJson(session);
  const { id, name } = await context.clientAs(session.access_token).get<{ id: string; name: string }>('/api/v1/driver/me');
  const contextName = `driver:${id}`;
  // The administrator's context stays the current one.
  context.config.change((config) => {
    config.contexts[contextName] = { url, token: session.access_token };
    config.current_driver = contextName;
  });
  context.note(`${name} is signed in at ${url}; the context ${contextName} holds the session until ${session.expires_at}`);
}
