import type { Command } from '../command.ts';

export const jobCommands: readonly Command[] = [{
  words: ['jobs', 'tail'],
  summary: 'Follow a job until it ends',
  description: 'Ctrl-C stops following; the job goes on. The exit code tells how the job ended.',
  operands: [{ name: 'job-id', summary: 'id of the job' }],
  async run(input, context) {
    const { tailJob } = await import('./tail-job.ts');
    return tailJob(input, context);
  },
}];
