import type { Command as Program } from 'commander';
import { processCommands } from '../launch/commands.ts';
import { commands } from './commands.ts';
import { environment } from './help-topics.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { buildProgram } from './program.ts';

/** All of the help as one page, so that a change of the command line is read as a difference. */
export function helpDocument(): string {
  const output = { columns: 120, write: () => true };
  const program = buildProgram(commands, processCommands, { stdout: output, stderr: output }, async () => {});
  const processes = new Set<string>(processCommands.map(({ name }) => name));
  const parts = [
    '# The command line\n\nMade by `npm run cli:help` from the commands; do not edit it.',
    block('milkrun', program),
    `## Exit codes\n\n${table(exitCodeMeanings)}`,
    `## Environment\n\n${table(environment)}`,
    ...leaves(program).filter(([words]) => !processes.has(words)).map(([words, leaf]) => block(`milkrun ${words}`, leaf)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What every command has is told once, at the top. */
function block(title: string, program: Program): string {
  const text = program.helpInformation().replace(/\nEverywhere:\n(?: .*\n)+/, '').replaceAll(/^ +-h, --help .*\n/gm, '').replace(/\nOptions:\n$/, '');
  return `## ${title}\n\n\`\`\`\n${text.trimEnd()}\n\`\`\``;
}

function leaves(program: Program, words: string[] = []): [words: string, leaf: Program][] {
  return program.commands.flatMap((command) => {
    const path = [...words, command.name()];
    return command.commands.length > 0 ? leaves(command, path) : [[path.join(' '), command] as [string, Program]];
  });
}

const table = (rows: Record<string, string>): string => ['| | |', '| --- | --- |', ...Object.entries(rows).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)].join('\n');
