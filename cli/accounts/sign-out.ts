import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { isStatus, wrongUsage } from '../failures.ts';
import { kindOfToken } from './token-kind.ts';

/** Of the account or of the driver, as the context has it. An API key is only forgotten: it is not ours to revoke. */
export async function signOut(_input: Input, context: Context): Promise<void> {
  const { token, contextName } = context.connection;
  if (!token) throw wrongUsage('nobody is signed in');
  const path = { session: '/api/v1/sessions/current', driver: '/api/v1/driver/sessions/current', key: null }[kindOfToken(token)];
  try {
    if (path) await context.client.send({ method: 'DELETE', path });
  } catch (error) {
    // A session that has ended already is just as well.
    if (!isStatus(error, 401)) throw error;
  }
  context.config.change((config) => {
    if (config.contexts[contextName]?.token === token) delete config.contexts[contextName].token;
  });
  context.note('signed out');
}
