import { describe, expect, test } from '@jest/globals';
import { exitCodeMeanings } from '../../cli/exit-codes.ts';
import { commandLine } from './command-line.ts';

/** Nobody listens there: port 1 is reserved. */
const milkrun = commandLine('http://127.0.0.1:1');

describe('help', () => {
  test('lists processes and commands on stdout', async () => {
    const ran = await milkrun.run(['--help']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    for (const name of ['up ', 'daemon', 'worker', 'migrate', 'vehicles', 'plans', 'sign-in', 'api <method> <path>']) expect(ran.stdout).toContain(`\n  ${name}`);
    expect(await milkrun.run([])).toEqual(ran);
    expect(await milkrun.run(['help'])).toEqual(ran);
  });

  test('of a noun and of a verb', async () => {
    expect((await milkrun.run(['help', 'plans'])).stdout).toContain('publish [plan-id...]');
    expect(await milkrun.run(['help', 'plans', 'show'])).toEqual(await milkrun.run(['plans', 'show', '--help']));
  });

  test('on exit codes and the environment', async () => {
    const { stdout } = await milkrun.run(['help', 'exit-codes']);
    for (const [code, meaning] of Object.entries(exitCodeMeanings)) expect(stdout).toContain(`${code.padEnd(3)}  ${meaning}`);
    expect((await milkrun.run(['help', 'environment'])).stdout).toContain('MILKRUN_TOKEN');
  });
});

test('the version is that of the package', async () => {
  expect((await milkrun.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('wrong usage', () => {
  test('an unknown command is told with what it may have been', async () => {
    const ran = await milkrun.run(['vehicle']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain("milkrun: unknown command 'vehicle'");
    expect(ran.stderr).toContain('Did you mean vehicles?');
  });

  test.each([[['vehicles']], [['vehicles', 'lst']], [['vehicles', 'list', '--nope']], [['plans', 'preview']], [['--timeout', '0', 'whoami']]])('%j ends with 2 and says nothing on stdout', async (argv) => {
    expect(await milkrun.run(argv)).toMatchObject({ code: 2, stdout: '' });
  });

  test('a process command that came here anyway is not pretended', async () => {
    expect(await milkrun.run(['up'])).toMatchObject({ code: 2, stdout: '' });
  });
});

test('a service that does not run is told with how to start it', async () => {
  const ran = await milkrun.run(['vehicles', 'list', '--business', 'b']);
  expect(ran).toMatchObject({ code: 8, stdout: '' });
  expect(ran.stderr).toContain('no answer from http://127.0.0.1:1');
  expect(ran.stderr).toContain('milkrun up');
});

test('global flags may stand before the noun as well as after the verb', async () => {
  const before = await milkrun.run(['--url', 'http://127.0.0.1:2', '--business', 'b', 'vehicles', 'list']);
  const after = await milkrun.run(['vehicles', 'list', '--url', 'http://127.0.0.1:2', '--business', 'b']);
  expect(before).toEqual(after);
  expect(after.stderr).toContain('127.0.0.1:2');
});
