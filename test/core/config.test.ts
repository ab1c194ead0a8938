import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, isLoopback, readConfig, variables } from '../../core/config.ts';

const DATABASE_URL = 'postgres://milkrun:secret@db.example:5432/milkrun';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  test('a database is enough', () => {
    const config = readConfig({ DATABASE_URL });
    expect(config).toMatchObject({
      databaseUrl: DATABASE_URL, redisUrl: null, host: '127.0.0.1', port: 8080, registration: 'closed',
      webhookTargets: 'public', mapSource: null, requestsPerMinute: 6000, signInsPerMinute: 30, trustedProxies: [], pushA: null, pushB: null, logLevel: 'info',
    });
    expect(config.dataDirectory).toBe(resolve('.milkrun'));
    expect(config.evidence).toBe(resolve('.milkrun/evidence'));
    expect(config.solverThreads).toBeGreaterThanOrEqual(1);
    expect(config.mapMemoryBytes).toBeGreaterThanOrEqual(256 * 1024 * 1024);
  });

  test('every variable is read', () => {
    expect(readConfig({
      DATABASE_URL, REDIS_URL: 'rediss://cache:6380/2', MILKRUN_HOST: '::', MILKRUN_PORT: '0', MILKRUN_DATA: '/srv/milkrun',
      MILKRUN_REGISTRATION: 'open', MILKRUN_WEBHOOK_TARGETS: 'any', MILKRUN_MAP_SOURCE: 'https://maps.example/{region}.osm.pbf', MILKRUN_MAP_MEMORY: '512',
      MILKRUN_EVIDENCE: 's3://photos/milkrun', MILKRUN_RATE_LIMIT: 'off', MILKRUN_SIGN_IN_RATE_LIMIT: '7', MILKRUN_TRUSTED_PROXIES: '10.0.0.0/8, ::1', MILKRUN_LOG_LEVEL: 'debug', MILKRUN_SOLVER_THREADS: '3',
      MILKRUN_PUSH_A_KEY: '/srv/key.p8', MILKRUN_PUSH_A_KEY_ID: 'ABC123DEFG', MILKRUN_PUSH_A_TEAM_ID: 'DEF123GHIJ', MILKRUN_PUSH_A_TOPIC: 'com.example.driver', MILKRUN_PUSH_A_URL: 'https://api.sandbox.push.apple.com/',
      MILKRUN_PUSH_B_ACCOUNT: '/srv/account.json', MILKRUN_PUSH_B_URL: 'http://127.0.0.1:9000',
    })).toEqual({
      databaseUrl: DATABASE_URL, redisUrl: 'rediss://cache:6380/2', host: '::', port: 0, dataDirectory: '/srv/milkrun',
      registration: 'open', webhookTargets: 'any', mapSource: 'https://maps.example/{region}.osm.pbf', mapMemoryBytes: 512 * 1024 * 1024,
      evidence: 's3://photos/milkrun', requestsPerMinute: null, signInsPerMinute: 7, trustedProxies: ['10.0.0.0/8', '::1'], logLevel: 'debug', solverThreads: 3,
      pushA: { key: '/srv/key.p8', keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', topic: 'com.example.driver', url: 'https://api.sandbox.push.apple.com' },
      pushB: { account: '/srv/account.json', url: 'http://127.0.0.1:9000' },
    });
  });

  test('an empty variable counts as absent', () => {
    const empty = Object.fromEntries(variables.map(({ name }) => [name, ' ']));
    expect(readConfig({ ...empty, DATABASE_URL })).toEqual(readConfig({ DATABASE_URL }));
  });

  test('without a limit for credentials there is none for signing in, unless it is set', () => {
    expect(readConfig({ DATABASE_URL, MILKRUN_RATE_LIMIT: 'off' }).signInsPerMinute).toBeNull();
    expect(readConfig({ DATABASE_URL, MILKRUN_SIGN_IN_RATE_LIMIT: 'off' })).toMatchObject({ requestsPerMinute: 6000, signInsPerMinute: null });
  });

  test('half a configuration of push messages is none', () => {
    const problems = problemsOf({ DATABASE_URL, MILKRUN_PUSH_A_KEY: '/srv/key.p8', MILKRUN_PUSH_A_TOPIC: 'driver', MILKRUN_PUSH_A_URL: 'https://host/path' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['MILKRUN_PUSH_A_KEY_ID', 'MILKRUN_PUSH_A_TEAM_ID', 'MILKRUN_PUSH_A_TOPIC', 'MILKRUN_PUSH_A_URL']);
  });

  test('a missing database is named', () => {
    expect(problemsOf({})).toEqual([
      'DATABASE_URL is missing; it must be a PostgreSQL URL such as postgres://user:password@host:5432/name.',
    ]);
  });

  test.each([
    ['DATABASE_URL', 'mysql://host/name'], ['DATABASE_URL', 'host/name'], ['DATABASE_URL', 'postgres:///name'],
    ['REDIS_URL', 'localhost:6379'],
    ['MILKRUN_HOST', 'http://localhost'], ['MILKRUN_HOST', 'localhost:8080'], ['MILKRUN_HOST', '[::1]:80'],
    ['MILKRUN_PORT', '65536'], ['MILKRUN_PORT', '-1'], ['MILKRUN_PORT', '80.5'], ['MILKRUN_PORT', '0x50'], ['MILKRUN_PORT', 'http'],
    ['MILKRUN_REGISTRATION', 'Open'], ['MILKRUN_WEBHOOK_TARGETS', 'private'],
    ['MILKRUN_MAP_SOURCE', 'ftp://maps.example/{region}'], ['MILKRUN_MAP_SOURCE', 'https://maps.example/{country}.osm.pbf'], ['MILKRUN_MAP_SOURCE', 'https://maps.example/{region.osm.pbf'], ['MILKRUN_MAP_MEMORY', '255'],
    ['MILKRUN_EVIDENCE', 's3://'], ['MILKRUN_EVIDENCE', 'https://bucket'],
    ['MILKRUN_SIGN_IN_RATE_LIMIT', 'never'], ['MILKRUN_TRUSTED_PROXIES', 'all'], ['MILKRUN_TRUSTED_PROXIES', '10.0.0.0/33'], ['MILKRUN_TRUSTED_PROXIES', '::1,,'],
    ['MILKRUN_RATE_LIMIT', '0'], ['MILKRUN_RATE_LIMIT', 'on'], ['MILKRUN_LOG_LEVEL', 'verbose'],
    ['MILKRUN_SOLVER_THREADS', '0'], ['MILKRUN_SOLVER_THREADS', 'two'],
  ])('%s=%s is refused with its rule', (name, value) => {
    const rule = variables.find((variable) => variable.name === name)!.rule;
    expect(problemsOf({ DATABASE_URL, [name]: value })).toEqual([`${name} must be ${rule}, not ${JSON.stringify(value)}.`]);
  });

  test('all wrong variables are named at once', () => {
    const problems = problemsOf({ MILKRUN_PORT: 'x', MILKRUN_LOG_LEVEL: 'x' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['DATABASE_URL', 'MILKRUN_PORT', 'MILKRUN_LOG_LEVEL']);
  });

  test('a password is not repeated', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter/2@host/name' })[0]).not.toContain('hunter');
    expect(problemsOf({ DATABASE_URL, REDIS_URL: 'http://:hunter2@host' })[0]).not.toContain('hunter2');
  });
});

test('only addresses of this machine are loopback', () => {
  expect(['127.0.0.1', '127.9.0.1', '::1', 'localhost'].map(isLoopback)).toEqual([true, true, true, true]);
  expect(['0.0.0.0', '::', '10.0.0.1', '127.example.com'].map(isLoopback)).toEqual([false, false, false, false]);
});
