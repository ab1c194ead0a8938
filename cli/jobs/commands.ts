import type { Command } from '../command.ts';
export const jobCommands: readonly Command[] = [];
