import { accountCommands } from './accounts/commands.ts';
import { apiCommands } from './api/commands.ts';
import type { Command } from './command.ts';
import { contextCommands } from './contexts/commands.ts';
import { derivedCommands } from './derived/commands.ts';
import { doctorCommands } from './doctor/commands.ts';
import { driverCommands } from './drivers/commands.ts';
import { evidenceCommands } from './evidence/commands.ts';
import { jobCommands } from './jobs/commands.ts';
import { planCommands } from './plans/commands.ts';
import { regionCommands } from './regions/commands.ts';
import { scenarioCommands } from './scenarios/commands.ts';

/** Those made by hand; what a command shows is loaded when it runs. */
export const handMadeCommands: readonly Command[] = [
  ...accountCommands, ...contextCommands, ...scenarioCommands, ...regionCommands, ...planCommands, ...jobCommands, ...driverCommands, ...evidenceCommands, ...apiCommands, ...doctorCommands,
];

/** Every command of the command line. */
export const commands: readonly Command[] = [...handMadeCommands, ...derivedCommands];
