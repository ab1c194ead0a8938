import type { Config, StoredContext } from './config-store.ts';
import { wrongUsage } from './failures.ts';

export const defaultUrl = 'http://127.0.0.1:8080';

/** Where requests go, and as whom. */
export interface Connection {
  url: string;
  token?: string;
  business?: string;
  /** The context that it came from, or that signing in shall make. */
  contextName: string;
}

export interface ConnectionSources {
  flags: { url?: string; token?: string; business?: string; context?: string };
  env: Record<string, string | undefined>;
  config: Config;
  makesContext?: boolean;
  isDriver?: boolean;
}

/** Flags come first, then a context that was named, then the environment, then the current context. */
export function resolveConnection({ flags, env, config, makesContext = false, isDriver = false }: ConnectionSources): Connection {
  const named = flags.context ?? (env.MILKRUN_CONTEXT || undefined);
  const contextName = named ?? (isDriver ? config.current_driver : undefined) ?? config.current ?? 'default';
  const stored = Object.hasOwn(config.contexts, contextName) ? config.contexts[contextName] : undefined;
  if (named !== undefined && !stored && !makesContext) throw wrongUsage(`there is no context ${JSON.stringify(named)}`, 'see which there are with: milkrun context list');
  const isChosen = flags.context !== undefined;
  const url = checkUrl(flags.url ?? (isChosen ? stored?.url : undefined) ?? (env.MILKRUN_URL || undefined) ?? stored?.url ?? defaultUrl);
  // A credential goes to the service that gave it and nowhere else.
  const own: Partial<StoredContext> = stored && sameUrl(stored.url, url) ? stored : {};
  const isFirst = isChosen || (isDriver && own.token !== undefined && !env.MILKRUN_TOKEN?.startsWith('md_'));
  return {
    url,
    token: flags.token ?? (isFirst ? own.token : undefined) ?? (env.MILKRUN_TOKEN || undefined) ?? own.token,
    business: flags.business ?? (isFirst ? own.business : undefined) ?? (env.MILKRUN_BUSINESS || undefined) ?? own.business,
    contextName,
  };
}

function checkUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw wrongUsage(`the address of the service must be an http or https URL, not ${JSON.stringify(text)}`);
  if (url.username || url.password) throw wrongUsage('the address of the service must not hold a user name or password', 'sign in instead: milkrun sign-in --email <address>');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

const sameUrl = (one: string, other: string) => one.replace(/\/+$/, '') === other;
