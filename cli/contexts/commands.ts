import type { Command } from '../command.ts';
import { listContexts, removeContext, setContext, showContext, switchContext } from './manage-contexts.ts';
import { chooseBusiness, showBusiness } from './choose-business.ts';

const name = [{ name: 'name', summary: 'name of the context' }];

export const contextCommands: readonly Command[] = [
  { words: ['context', 'list'], summary: 'List the stored contexts', run: listContexts },
  { words: ['context', 'show'], summary: 'Show what is in use, from flags, environment and context', run: showContext },
  { words: ['context', 'use'], summary: 'Use a context from now on', operands: name, run: switchContext },
  {
    words: ['context', 'set'], summary: 'Store url, token and business under a name', operands: name, makesContext: true,
    description: 'What is stored comes from --url, --token and --business.',
    examples: ['milkrun context set ci --url https://routes.example --token mk_… --business 0198…'],
    run: setContext,
  },
  { words: ['context', 'remove'], summary: 'Forget a context', operands: name, run: removeContext },
  {
    words: ['business', 'use'], summary: 'Choose the business that commands are for', operands: [{ name: 'business-id', summary: 'its id, or its name where only one has it' }],
    run: chooseBusiness,
  },
  { words: ['business', 'show'], summary: 'Show the business that commands are for', run: showBusiness },
];
