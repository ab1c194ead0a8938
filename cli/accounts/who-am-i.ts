import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { wrongUsage } from '../failures.ts';
import { renderRecord } from '../record-view.ts';
import { kindOfToken } from './token-kind.ts';

interface Me {
  account: { email: string; name: string | null };
  businesses: { id: string; name: string }[];
}

export async function whoAmI(_input: Input, context: Context): Promise<void> {
  const { url, token, business, contextName } = context.connection;
  if (!token) throw wrongUsage(`nobody is signed in at ${url}`, 'sign in with: milkrun sign-in --email <address>');
  const kind = kindOfToken(token);
  const who = await describe[kind](context);
  const where = { context: contextName, url, credential: kind, business: business ?? null };
  if (context.isJson) return context.printJson({ ...who, ...where });
  const chosen = who.businesses?.find(({ id }) => id === business);
  context.print(renderRecord({ ...who, ...(who.businesses ? { businesses: who.businesses.map(({ name }) => name) } : {}), ...where, business: chosen ? `${chosen.name} (${chosen.id})` : business }, context.paint));
}

type Who = { email?: string; name?: string | null; driver?: string; businesses?: Me['businesses'] };

const describe: Record<ReturnType<typeof kindOfToken>, (context: Context) => Promise<Who>> = {
  async session({ client }) {
    const { account, businesses } = await client.get<Me>('/api/v1/me');
    return { email: account.email, name: account.name, businesses };
  },
  async driver({ client }) {
    const { id, name, email } = await client.get<{ id: string; name: string; email: string }>('/api/v1/driver/me');
    return { driver: id, name, email };
  },
  // A key belongs to a business and to nobody; what it may do shows when it is used.
  async key() {
    return {};
  },
};
