/** The commands that start processes. Plain data: the command line lists them in its help without loading any process. */

export interface ProcessCommand {
  name: string;
  summary: string;
  /** What stands after the name in a line of usage. */
  usage: string;
}

export const processCommands = [
  { name: 'up', usage: '', summary: 'Start everything: database, daemon and workers, until Ctrl-C' },
  { name: 'daemon', usage: '', summary: 'Start the HTTP daemon alone' },
  { name: 'worker', usage: '[--queues <names>]', summary: 'Start a worker alone, for all queues or those named (a,b)' },
  { name: 'migrate', usage: '', summary: 'Bring the database to the present shape' },
] as const satisfies readonly ProcessCommand[];

export type ProcessCommandName = (typeof processCommands)[number]['name'];

export function isProcessCommand(name: string | undefined): name is ProcessCommandName {
  return processCommands.some((command) => command.name === name);
}
