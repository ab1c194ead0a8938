import type { Context } from 'koa';

/** Empty where there is none. */
export const bearerToken = (context: Context): string => /^Bearer +(\S+)$/i.exec(context.get('authorization'))?.[1] ?? '';
