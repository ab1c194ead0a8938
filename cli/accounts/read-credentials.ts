import { text as textOf } from 'node:stream/consumers';
import type { Context } from '../context.ts';
import { wrongUsage } from '../failures.ts';

interface Options {
  email?: string;
  password?: string;
  passwordStdin?: boolean;
}

/** Email and password from flags, standard input or the person at the terminal. */
export async function readCredentials(options: Options, context: Context, { isNew }: { isNew: boolean }): Promise<{ email: string; password: string }> {
  if (options.password !== undefined && options.passwordStdin) throw wrongUsage('--password and --password-stdin contradict each other');
  const email = options.email ?? (context.isInteractive ? await context.prompt.ask('Email: ') : undefined);
  if (!email) throw wrongUsage('--email is missing');
  return { email, password: await readPassword(options, context, isNew) };
}

async function readPassword(options: Options, context: Context, isNew: boolean): Promise<string> {
  if (options.password !== undefined) return options.password;
  // The line break belongs to the line, not to the password.
  if (options.passwordStdin) return (await textOf(context.stdin())).replace(/\r?\n$/, '');
  if (!context.isInteractive) throw wrongUsage('the password is missing', 'give it on standard input with --password-stdin');
  const password = await context.prompt.askSecret('Password: ');
  if (isNew && (await context.prompt.askSecret('Once more: ')) !== password) throw wrongUsage('the two passwords differ');
  return password;
}
