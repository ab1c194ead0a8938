import type { Command } from '../command.ts';
export const planCommands: readonly Command[] = [];
