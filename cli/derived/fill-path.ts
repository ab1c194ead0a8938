import type { Context } from '../context.ts';
import { wrongUsage } from '../failures.ts';

/** Puts values into a path template; `{id}` is the business. */
export function fillPath(template: string, parameters: Record<string, string | undefined>, context: Pick<Context, 'business'>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters[name] ?? (name === 'id' ? context.business() : undefined);
    if (value === undefined) throw wrongUsage(`{${name}} in the path has no value`);
    // A part that is empty or made of dots would lead to another path.
    if (/^\.{0,2}$/.test(value.trim())) throw wrongUsage(`${JSON.stringify(value)} is no ${name.replaceAll('_', ' ')}`);
    return encodeURIComponent(value);
  });
}
