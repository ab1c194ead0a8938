import { Argument, Command as Program, CommanderError, InvalidArgumentError, Option } from 'commander';
import { parseNumber, type Command, type Input, type OptionDeclaration } from './command.ts';
import type { GlobalFlags, Streams } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { wrongUsage } from './failures.ts';
import { nouns, sections } from './nouns.ts';

export interface ProcessCommand {
  name: string;
  summary: string;
}

type Execute = (command: Command, input: Input, flags: GlobalFlags) => Promise<void>;

/** They may stand before the noun or after the verb. */
const globalOptions: readonly OptionDeclaration[] = [
  { flags: '--json', summary: 'data as JSON' },
  { flags: '--url <url>', summary: 'address of the service' },
  { flags: '--token <token>', summary: 'session token or API key' },
  { flags: '--business <id>', summary: 'the business' },
  { flags: '--context <name>', summary: 'stored context to use' },
  { flags: '--timeout <seconds>', summary: 'how long to wait for an answer (60)', parse: parsePositive },
];

/** Commands of the process beside commands of the user, as one tree of words. */
export function buildProgram(commands: readonly Command[], processCommands: readonly ProcessCommand[], streams: Pick<Streams, 'stdout' | 'stderr'>, execute: Execute): Program {
  const program = new Program('milkrun');
  program.description('Plans routes and dispatches field work.').usage('<command> [options]');
  program.exitOverride().helpCommand(false).configureOutput({
    writeOut: (text) => streams.stdout.write(text),
    writeErr: (text) => streams.stderr.write(text.replace(/^error: /, 'milkrun: ')),
    getOutHelpWidth: () => streams.stdout.columns ?? 100,
    getErrHelpWidth: () => streams.stderr.columns ?? 100,
  });
  program.configureHelp({ subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map((operand) => operandText(operand.name(), operand.required, operand.variadic))].join(' ') });
  for (const option of globalOptions) program.addOption(asOption(option));
  addProcessCommands(program, processCommands);
  for (const command of inOrderOfNouns(commands)) addCommand(program, command, execute);
  program.addHelpText('after', '\nMore: milkrun help <command>, milkrun help exit-codes, milkrun help environment');
  return program;
}

/** Runs a command line to its end; the exit code. What commander has to say about wrong usage it has said on stderr. */
export async function runProgram(commands: readonly Command[], processCommands: readonly ProcessCommand[], argv: readonly string[], streams: Streams): Promise<number> {
  let code: number = exitCodes.ok;
  const program = buildProgram(commands, processCommands, streams, async (command, input, flags) => {
    // Client, prompt and configuration are loaded only for a command that runs.
    const { createContext } = await import('./context.ts');
    code = (await command.run(input, createContext(flags, streams, command))) ?? exitCodes.ok;
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    throw error;
  }
}

function addProcessCommands(program: Program, processCommands: readonly ProcessCommand[]): void {
  for (const { name, summary } of processCommands) {
    program.command(name).description(summary).helpGroup('Processes:').allowUnknownOption().allowExcessArguments()
      .action(() => { throw wrongUsage(`\`${name}\` starts a process; run it through the executable: milkrun ${name}`); });
  }
}

function addCommand(program: Program, command: Command, execute: Execute): void {
  const parent = command.words.slice(0, -1).reduce((node, word) => findOrAdd(node, word), program);
  const leaf = parent.command(command.words.at(-1)!).description(command.description ? `${command.summary}. ${command.description}` : command.summary).summary(command.summary);
  if (parent === program) leaf.helpGroup(headingOf(command.words[0]));
  for (const { name, summary, isOptional, isVariadic } of command.operands ?? []) {
    leaf.addArgument(new Argument(operandText(name, !isOptional, isVariadic ?? false), summary));
  }
  const own = (command.options ?? []).map((declaration) => ({ declaration, option: asOption(declaration) }));
  for (const { option } of own) leaf.addOption(option);
  const ownNames = new Set(own.map(({ option }) => option.long));
  // Where a record has a field of that name, the global flag has to stand before the noun.
  const globals = globalOptions.map(asOption).filter(({ long }) => !ownNames.has(long));
  for (const option of globals) leaf.addOption(option.helpGroup('Everywhere:'));
  if (command.examples) leaf.addHelpText('after', `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`);
  leaf.action(async () => {
    const given = leaf.opts();
    const globalNames = globals.map((option) => option.attributeName());
    const flags = { ...program.opts(), ...Object.fromEntries(globalNames.filter((name) => given[name] !== undefined).map((name) => [name, given[name]])) } as GlobalFlags;
    await execute(command, { operands: leaf.args, options: given }, flags);
  });
}

function findOrAdd(node: Program, word: string): Program {
  const found = node.commands.find((each) => each.name() === word);
  if (found) return found;
  const noun = nouns[word];
  return node.command(word).description(noun?.summary ?? word).helpGroup(headingOf(word)).helpCommand(false);
}

function operandText(name: string, isRequired: boolean, isVariadic: boolean): string {
  const text = isVariadic ? `${name}...` : name;
  return isRequired ? `<${text}>` : `[${text}]`;
}

const headingOf = (word: string): string => sections[nouns[word]?.section ?? 'other'];

function inOrderOfNouns(commands: readonly Command[]): Command[] {
  const order = Object.keys(nouns);
  const place = (command: Command) => {
    const at = order.indexOf(command.words[0]);
    return at === -1 ? order.length : at;
  };
  return commands.toSorted((one, other) => place(one) - place(other));
}

function asOption({ flags, summary, choices, parse, isRequired }: OptionDeclaration): Option {
  const option = new Option(flags, summary);
  if (choices) option.choices(choices);
  if (parse) {
    option.argParser((text: string, previous: unknown) => {
      try {
        return parse(text, previous);
      } catch (error) {
        throw new InvalidArgumentError(`It ${(error as Error).message}.`);
      }
    });
  }
  return option.makeOptionMandatory(isRequired ?? false);
}

function parsePositive(text: string): number {
  const value = parseNumber(text);
  if (value <= 0) throw new Error('must be more than 0');
  return value;
}
