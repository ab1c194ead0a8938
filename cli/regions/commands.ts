import type { Command } from '../command.ts';

export const regionCommands: readonly Command[] = [{
  words: ['regions', 'install'],
  summary: 'Install the roads of a region, or bring them up to date, as a background job',
  description: 'Approves the region for the update schedule. Where a job is under way already, that one is meant. With --wait, Ctrl-C stops following; the job goes on until it is cancelled: milkrun jobs cancel.',
  operands: [{ name: 'region-id', summary: 'id of the region' }],
  options: [{ flags: '--wait', summary: 'follow the job by phase and bytes, and show what came of it' }],
  examples: ['milkrun regions install malta --wait', 'milkrun regions install malta --json'],
  async run(input, context) {
    const { installRegion } = await import('./install-region.ts');
    return installRegion(input, context);
  },
}];
