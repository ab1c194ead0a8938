import type { Command } from '../command.ts';
export const doctorCommands: readonly Command[] = [];
