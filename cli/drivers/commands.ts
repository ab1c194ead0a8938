import type { Command } from '../command.ts';
export const driverCommands: readonly Command[] = [];
