import type { Context } from '../context.ts';

/** Keeps the choice in the context in use; one that came from flags or the environment alone is made. */
export function useBusiness({ id, name }: { id: string; name: string }, context: Context): void {
  const { contextName, url, token } = context.connection;
  context.config.change((config) => {
    const stored = config.contexts[contextName];
    config.contexts[contextName] = stored?.url === url ? { ...stored, business: id } : { url, ...(token ? { token } : {}), business: id };
    config.current ??= contextName;
  });
  context.note(`commands are now for ${name} (${id})`);
}
