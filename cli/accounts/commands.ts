import type { Command, OptionDeclaration } from '../command.ts';
import { createBusinessCommand } from './create-business.ts';

const credentials: readonly OptionDeclaration[] = [
  { flags: '--email <address>', summary: 'address of the account' },
  { flags: '--password <text>', summary: 'its password; others on this machine may see it, so better:' },
  { flags: '--password-stdin', summary: 'read the password from standard input' },
];

export const accountCommands: readonly Command[] = [
  {
    words: ['sign-up'], summary: 'Create an account and sign in', makesContext: true,
    options: [...credentials, { flags: '--name <text>', summary: 'name of the person' }],
    examples: ['milkrun sign-up --email dispatch@depot.example'],
    run: async (input, context) => (await import('./sign-in.ts')).signUp(input, context),
  },
  {
    words: ['sign-in'], summary: 'Sign in and keep the session', makesContext: true,
    description: 'The session is kept in the context that --context names, else in the current one.',
    options: credentials,
    examples: ['milkrun sign-in --email dispatch@depot.example', 'milkrun sign-in --email dispatch@depot.example --url https://routes.example --context work'],
    run: async (input, context) => (await import('./sign-in.ts')).signIn(input, context),
  },
  { words: ['sign-out'], summary: 'End the session and forget it', run: async (input, context) => (await import('./sign-out.ts')).signOut(input, context) },
  { words: ['whoami'], summary: 'Who is signed in, where, and for which business', run: async (input, context) => (await import('./who-am-i.ts')).whoAmI(input, context) },
  createBusinessCommand,
];
