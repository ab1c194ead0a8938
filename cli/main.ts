import { processCommands as processCommandsOfMilkrun } from '../launch/commands.ts';
import type { Streams } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { exitCodeOf } from './failures.ts';
import { helpTopic } from './help-topics.ts';
import { runProgram, type ProcessCommand } from './program.ts';

/** Runs one command line to its end and answers with the exit code. Never ends the process itself. */
export async function main(argv: readonly string[], streams: Streams, processCommands: readonly ProcessCommand[] = processCommandsOfMilkrun): Promise<number> {
  surviveClosedPipes(streams);
  try {
    const topic = argv[0] === 'help' ? helpTopic(argv[1]) : undefined;
    if (topic !== undefined) {
      streams.stdout.write(topic);
      return exitCodes.ok;
    }
    if (['--version', '-V', 'version'].includes(argv[0])) {
      const { version } = await import('./version.ts');
      streams.stdout.write(`${version()}\n`);
      return exitCodes.ok;
    }
    const { commands } = await import('./commands.ts');
    return await runProgram(commands, processCommands, argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, streams);
  } catch (error) {
    const { reportFailure } = await import('./report-failure.ts');
    streams.stderr.write(reportFailure(error));
    return exitCodeOf(error);
  }
}

/** `milkrun … | head` closes our output early, which is no fault. */
function surviveClosedPipes({ stdout, stderr }: Streams): void {
  for (const stream of [stdout, stderr] as Partial<NodeJS.WriteStream>[]) {
    if (stream.listenerCount?.('error') === 0) stream.on?.('error', (error: NodeJS.ErrnoException) => { if (error.code !== 'EPIPE') throw error; });
  }
}
