import { enableCompileCache } from 'node:module';
import { dirname } from 'node:path';

// Before anything of size is loaded, which is why everything else is imported when it is needed. Threads and child processes read the
// environment: they start in a third of the time, and from the sources without 20 MB for taking the types off. That is WebAssembly that lets go
// of a buffer, and from then on the engine asks of every array whether its buffer is still there: the solver's steps took a tenth longer.
const { directory } = enableCompileCache();
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(directory);

const [, program, ...argv] = process.argv;
const { isProcessCommand } = await import('../launch/commands.ts');

if (isProcessCommand(argv[0])) {
  const { runProcess } = await import('../launch/run-process.ts');
  const code = await runProcess(argv, {
    program,
    startDaemon: async (config) => (await import('../daemon/main.ts')).startDaemon(config),
    startWorkers: async (config, options) => (await import('../workers/main.ts')).startWorkers(config, options),
  });
  // What a part could not let go of within its time must not hold up the end.
  process.exit(code);
} else {
  const { main } = await import('../cli/main.ts');
  process.exitCode = await main(argv, process);
}
