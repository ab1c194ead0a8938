import type { Command } from '../command.ts';

const contexts = () => import('./manage-contexts.ts');
const businesses = () => import('./choose-business.ts');

const name = [{ name: 'name', summary: 'name of the context' }];

export const contextCommands: readonly Command[] = [
  { words: ['context', 'list'], summary: 'List the stored contexts', run: async (input, context) => (await contexts()).listContexts(input, context) },
  { words: ['context', 'show'], summary: 'Show what is in use, from flags, environment and context', run: async (input, context) => (await contexts()).showContext(input, context) },
  { words: ['context', 'use'], summary: 'Use a context from now on', operands: name, run: async (input, context) => (await contexts()).switchContext(input, context) },
  {
    words: ['context', 'set'], summary: 'Store url, token and business under a name', operands: name, makesContext: true,
    description: 'What is stored comes from --url, --token and --business.',
    examples: ['milkrun context set ci --url https://routes.example --token mk_… --business 0198…'],
    run: async (input, context) => (await contexts()).setContext(input, context),
  },
  { words: ['context', 'remove'], summary: 'Forget a context', operands: name, run: async (input, context) => (await contexts()).removeContext(input, context) },
  {
    words: ['business', 'use'], summary: 'Choose the business that commands are for', operands: [{ name: 'business-id', summary: 'its id, or its name where only one has it' }],
    run: async (input, context) => (await businesses()).chooseBusiness(input, context),
  },
  { words: ['business', 'show'], summary: 'Show the business that commands are for', run: async (input, context) => (await businesses()).showBusiness(input, context) },
];
