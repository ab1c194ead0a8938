import type { Command } from '../command.ts';

export const doctorCommands: readonly Command[] = [{
  words: ['doctor'],
  summary: 'Check that the service answers, is ready, and takes the credential',
  async run(input, context) {
    const { examine } = await import('./examine.ts');
    return examine(input, context);
  },
}];
