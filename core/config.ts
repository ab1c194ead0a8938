/** Everything Milkrun takes from its environment, checked once at the start of a process. */

import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';

type Env = Record<string, string | undefined>;

/** What one variable is. README's table is made of these rows, and so are the messages about wrong values. */
interface Variable {
  name: string;
  /** The value of an absent or empty variable; null where it has none. */
  default: string | null;
  /** Completes the sentence "NAME must be …". */
  rule: string;
  description: string;
}

export const variables = [
  {
    name: 'DATABASE_URL', default: null, rule: 'a PostgreSQL URL such as postgres://user:password@host:5432/name',
    description: 'The database. `milkrun up` brings its own where this is absent; the other commands need it.',
  },
  {
    name: 'REDIS_URL', default: null, rule: 'a Redis or Valkey URL such as redis://host:6379',
    description: 'Where the job queues are kept. Absent: in the database.',
  },
  {
    name: 'MILKRUN_HOST', default: '127.0.0.1', rule: 'an address or a host name without scheme, port or spaces',
    description: 'The address that the daemon listens on.',
  },
  {
    name: 'MILKRUN_PORT', default: '8080', rule: 'an integer from 0 to 65535',
    description: 'The port that the daemon listens on; 0 takes a free one.',
  },
  {
    name: 'MILKRUN_DATA', default: '.milkrun', rule: 'a path',
    description: 'The data directory: embedded database, evidence, map datasets. Relative to the working directory.',
  },
  {
    name: 'MILKRUN_REGISTRATION', default: 'closed', rule: '`open` or `closed`',
    description: 'Whether anybody may create an account. `milkrun up` on a loopback address: `open`.',
  },
  {
    name: 'MILKRUN_WEBHOOK_TARGETS', default: 'public', rule: '`public` or `any`',
    description: 'Where webhooks may go: public HTTPS only, or any address, plain HTTP and private networks included.',
  },
  {
    name: 'MILKRUN_MAP_SOURCE', default: null, rule: 'a path, or an http(s) URL in which {region} and {name} may stand for the id and the name of a region',
    description: 'Where map extracts (.osm.pbf) come from: a file, a directory with `<region id>.osm.pbf`, or a URL in which `{region}` and `{name}` stand for id and name. Absent: no regions.',
  },
  {
    name: 'MILKRUN_MAP_MEMORY', default: null, rule: 'an integer from 256 to 4194304',
    description: 'Memory in MiB that building the roads of one region may take. Absent: half of what the machine has.',
  },
  {
    name: 'MILKRUN_EVIDENCE', default: null, rule: 'a path or s3://bucket/prefix',
    description: 'Where evidence images are kept; for S3 and the like, region, credentials and endpoint come from the usual AWS_* variables. Absent: `evidence` in the data directory.',
  },
  {
    name: 'MILKRUN_RATE_LIMIT', default: '6000', rule: '`off` or an integer from 1 to 1000000',
    description: 'Requests per minute for each credential.',
  },
  {
    name: 'MILKRUN_SIGN_IN_RATE_LIMIT', default: null, rule: '`off` or an integer from 1 to 1000000',
    description: 'Sign-ups, sign-ins and accepted invitations per minute from each address. Absent: 30, or `off` where `MILKRUN_RATE_LIMIT` is.',
  },
  {
    name: 'MILKRUN_TRUSTED_PROXIES', default: null, rule: 'addresses or networks such as 10.0.0.0/8, separated by commas',
    description: 'Proxies in front of the daemon whose `X-Forwarded-For` is believed. Absent: none.',
  },
  {
    name: 'MILKRUN_PUSH_A_KEY', default: null, rule: 'a private key in PEM, or the path of its file',
    description: 'Push messages to iOS (`provider_a`): the signing key (.p8). Absent: none are sent. With it the next three are needed.',
  },
  {
    name: 'MILKRUN_PUSH_A_KEY_ID', default: null, rule: 'the id of that key: 10 letters and digits',
    description: 'The id of the signing key.',
  },
  {
    name: 'MILKRUN_PUSH_A_TEAM_ID', default: null, rule: 'the id of the team: 10 letters and digits',
    description: 'The team that the key belongs to.',
  },
  {
    name: 'MILKRUN_PUSH_A_TOPIC', default: null, rule: 'the bundle id of the app, such as com.example.driver',
    description: 'The app that messages are for.',
  },
  {
    name: 'MILKRUN_PUSH_A_URL', default: 'https://api.push.apple.com', rule: 'an http(s) URL without a path',
    description: 'Where messages to iOS go.',
  },
  {
    name: 'MILKRUN_PUSH_B_ACCOUNT', default: null, rule: 'the JSON of a service account, or the path of its file',
    description: 'Push messages through FCM (`provider_b`): the service account. Absent: none are sent.',
  },
  {
    name: 'MILKRUN_PUSH_B_URL', default: 'https://fcm.googleapis.com', rule: 'an http(s) URL without a path',
    description: 'Where messages through FCM go.',
  },
  {
    name: 'MILKRUN_LOG_LEVEL', default: 'info', rule: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    description: 'The least important messages that are logged.',
  },
  {
    name: 'MILKRUN_SOLVER_THREADS', default: null, rule: 'an integer from 1 to 256',
    description: 'Threads that one worker process plans with. Absent: one for each processor.',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof variables)[number]['name'];

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  databaseUrl: string;
  /** null: the queues are in the database. */
  redisUrl: string | null;
  host: string;
  /** 0: a free one. */
  port: number;
  /** Absolute. */
  dataDirectory: string;
  registration: 'open' | 'closed';
  webhookTargets: 'public' | 'any';
  /** An absolute path or a URL template; null where no regions are offered. */
  mapSource: string | null;
  /** Of one process that builds the roads of a region. */
  mapMemoryBytes: number;
  /** An absolute path or s3://bucket/prefix. */
  evidence: string;
  /** null: no limit. */
  requestsPerMinute: number | null;
  /** Of one address, without a credential; null: no limit. */
  signInsPerMinute: number | null;
  /** Addresses and networks. */
  trustedProxies: readonly string[];
  /** null: no messages to iOS. `key` is PEM or a path. */
  pushA: { key: string; keyId: string; teamId: string; topic: string; url: string } | null;
  /** null: no messages through FCM. `account` is JSON or a path. */
  pushB: { account: string; url: string } | null;
  logLevel: LogLevel;
  solverThreads: number;
}

/** The environment does not say what is needed. The message has one line for each variable that is wrong. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads and checks all variables, and complains about all of them at once. */
export function readConfig(env: Env): Config {
  const problems: string[] = [];

  /** The parsed value, or `undefined` with a complaint. Only a whole, correct configuration leaves this function. */
  function read<T>(name: VariableName, parse: (text: string) => T | undefined): T {
    const variable = variables.find((each) => each.name === name)!;
    const text = env[name]?.trim() || variable.default;
    const value = text === null ? undefined : parse(text);
    if (value === undefined) problems.push(complaint(variable, env[name]));
    return value as T;
  }
  function readOptional<T>(name: VariableName, parse: (text: string) => T | undefined): T | null {
    return env[name]?.trim() ? read(name, parse) : null;
  }

  const isGiven = (...names: VariableName[]): boolean => names.some((name) => env[name]?.trim());

  const dataDirectory = read('MILKRUN_DATA', path);
  const requestsPerMinute = read('MILKRUN_RATE_LIMIT', rateLimit);
  const config: Config = {
    databaseUrl: read('DATABASE_URL', (text) => url(text, ['postgres:', 'postgresql:'])),
    redisUrl: readOptional('REDIS_URL', (text) => url(text, ['redis:', 'rediss:'])),
    host: read('MILKRUN_HOST', host),
    port: read('MILKRUN_PORT', (text) => integer(text, { min: 0, max: 65_535 })),
    dataDirectory,
    registration: read('MILKRUN_REGISTRATION', (text) => oneOf(text, ['open', 'closed'])),
    webhookTargets: read('MILKRUN_WEBHOOK_TARGETS', (text) => oneOf(text, ['public', 'any'])),
    mapSource: readOptional('MILKRUN_MAP_SOURCE', mapSource),
    mapMemoryBytes: (readOptional('MILKRUN_MAP_MEMORY', (text) => integer(text, { min: 256, max: 4_194_304 })) ?? Math.max(256, Math.floor(machineMemory() / 2 / mebibyte))) * mebibyte,
    evidence: readOptional('MILKRUN_EVIDENCE', evidence) ?? resolve(dataDirectory ?? '', 'evidence'),
    requestsPerMinute,
    signInsPerMinute: env.MILKRUN_SIGN_IN_RATE_LIMIT?.trim() ? read('MILKRUN_SIGN_IN_RATE_LIMIT', rateLimit) : requestsPerMinute === null ? null : signInsDefault,
    trustedProxies: readOptional('MILKRUN_TRUSTED_PROXIES', networks) ?? [],
    pushA: isGiven('MILKRUN_PUSH_A_KEY', 'MILKRUN_PUSH_A_KEY_ID', 'MILKRUN_PUSH_A_TEAM_ID', 'MILKRUN_PUSH_A_TOPIC') ? {
      key: read('MILKRUN_PUSH_A_KEY', secret), keyId: read('MILKRUN_PUSH_A_KEY_ID', appleId), teamId: read('MILKRUN_PUSH_A_TEAM_ID', appleId),
      topic: read('MILKRUN_PUSH_A_TOPIC', bundleId), url: read('MILKRUN_PUSH_A_URL', origin),
    } : null,
    pushB: isGiven('MILKRUN_PUSH_B_ACCOUNT') ? { account: read('MILKRUN_PUSH_B_ACCOUNT', secret), url: read('MILKRUN_PUSH_B_URL', origin) } : null,
    logLevel: read('MILKRUN_LOG_LEVEL', (text) => oneOf(text, logLevels)),
    solverThreads: readOptional('MILKRUN_SOLVER_THREADS', (text) => integer(text, { min: 1, max: 256 })) ?? availableParallelism(),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Whether only this machine can reach the address. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}

function complaint(variable: Variable, given: string | undefined): string {
  if (!given?.trim()) return `${variable.name} is missing; it must be ${variable.rule}.`;
  return `${variable.name} must be ${variable.rule}, not ${JSON.stringify(withoutPassword(given))}.`;
}

/** Messages end up in logs, where a password of a URL has no place. */
function withoutPassword(text: string): string {
  return text.replace(/:\/\/.*@/, '://***@');
}

function url(text: string, protocols: string[]): string | undefined {
  const parsed = URL.parse(text);
  return parsed && protocols.includes(parsed.protocol) && (parsed.hostname || parsed.searchParams.has('host')) ? text : undefined;
}

function host(text: string): string | undefined {
  if (/[\s/@]/.test(text)) return undefined;
  // A colon is either part of an IPv6 address or the port that has its own variable.
  return text.includes(':') && !URL.canParse(`http://[${text}]`) ? undefined : text;
}

function integer(text: string, range: { min: number; max: number }): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= range.min && value <= range.max ? value : undefined;
}

function oneOf<const T extends string>(text: string, values: readonly T[]): T | undefined {
  return values.find((value) => value === text);
}

function path(text: string): string | undefined {
  return text.includes('\0') ? undefined : resolve(text);
}

function mapSource(text: string): string | undefined {
  if (!text.includes('://')) return path(text);
  const isFilled = !/[{}]/.test(text.replaceAll(/\{(region|name)\}/g, ''));
  return /^https?:\/\/[^/]/.test(text) && isFilled && URL.canParse(text) ? text : undefined;
}

const mebibyte = 1024 * 1024;
/** What a container allows, where it allows less than there is. */
const machineMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

function evidence(text: string): string | undefined {
  if (!text.includes('://')) return path(text);
  return /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/.test(text) ? text : undefined;
}

const signInsDefault = 30;

function networks(text: string): string[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every(isNetwork) ? parts : undefined;
}

function isNetwork(text: string): boolean {
  const [address, prefix, ...more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && bits > 0 && (prefix === undefined || integer(prefix, { min: 0, max: bits }) !== undefined);
}

/** A key or where it is kept: read where it is used, and never repeated. */
const secret = (text: string): string => text;

const appleId = (text: string): string | undefined => (/^[A-Z0-9]{10}$/i.test(text) ? text : undefined);
const bundleId = (text: string): string | undefined => (/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text) ? text : undefined);

function origin(text: string): string | undefined {
  const parsed = URL.parse(text);
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.pathname === '/' && parsed.search === '' && parsed.username === '' ? parsed.origin : undefined;
}

function rateLimit(text: string): number | null | undefined {
  return text === 'off' ? null : integer(text, { min: 1, max: 1_000_000 });
}
