import type { Command } from '../command.ts';
export const scenarioCommands: readonly Command[] = [];
