import type { Context } from './context.ts';

/** A command: what it is called and takes, and what it does. `run` gets everything it needs in the context. */
export interface Command {
  words: readonly string[];
  summary: string;
  description?: string;
  operands?: readonly OperandDeclaration[];
  options?: readonly OptionDeclaration[];
  examples?: readonly string[];
  /** It may name a context that does not exist yet. */
  makesContext?: boolean;
  /** It speaks for a driver: the context of the driver who signed in last serves it. */
  isDriver?: boolean;
  /** The exit code; 0 where there is none. */
  run(input: Input, context: Context): Promise<number | void>;
}

export interface OperandDeclaration {
  name: string;
  summary: string;
  isOptional?: boolean;
  isVariadic?: boolean;
}

export interface OptionDeclaration {
  flags: string;
  summary: string;
  choices?: readonly string[];
  isRequired?: boolean;
  /** Turns the text into a value, or throws an error whose message says what is wrong. */
  parse?(text: string, previous: unknown): unknown;
}

export interface Input {
  operands: string[];
  /** By the name of the flag in camelCase; absent where the flag was not given. */
  options: Record<string, unknown>;
}

/** `a,b` and repeated flags both make a list. */
export const parseList = (text: string, previous: unknown): string[] =>
  [...((previous as string[] | undefined) ?? []), ...text.split(',').map((part) => part.trim()).filter((part) => part !== '')];

export const parseInteger = (text: string): number => {
  if (!/^-?\d+$/.test(text.trim())) throw new Error('is not a whole number');
  return Number(text);
};

export const parseNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error('is not a number');
  return value;
};

export const parseDate = (text: string): string => {
  try {
    return Temporal.PlainDate.from(text.trim(), { overflow: 'reject' }).toString();
  } catch {
    throw new Error('is not a date such as 2026-03-02');
  }
};
