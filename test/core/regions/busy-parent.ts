/** Starts a child that has no time to notice that it is alone. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const child = spawn(process.execPath, ['--no-warnings', fileURLToPath(new URL('./busy-child.ts', import.meta.url))], { stdio: ['ignore', 'pipe', 'inherit'] });
child.stdout.once('data', () => process.send!({ pid: child.pid }));
