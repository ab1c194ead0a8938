import { beforeEach, expect, test } from '@jest/globals';
import { commandLine, type CommandLine } from '../command-line.ts';

let milkrun: CommandLine;
beforeEach(() => { milkrun = commandLine('http://127.0.0.1:1', { MILKRUN_URL: '' }); });

const set = (name: string, url: string) => milkrun.run(['context', 'set', name, '--url', url, '--token', `mk_secret_of_${name}`]);

test('contexts are stored, listed, chosen and forgotten; tokens are never shown whole', async () => {
  await set('one', 'http://one.example');
  await set('two', 'http://two.example');
  const list = await milkrun.run(['context', 'list']);
  expect(list.stdout).toBe('   name  url                 credential  business\n*  one   http://one.example  mk_secr…    –\n   two   http://two.example  mk_secr…    –\n');
  expect(await milkrun.run(['context', 'use', 'two'])).toMatchObject({ code: 0 });
  expect(JSON.parse((await milkrun.run(['context', 'show', '--json'])).stdout)).toMatchObject({ context: 'two', url: 'http://two.example', token: 'mk_secr…' });
  expect(await milkrun.run(['context', 'remove', 'two'])).toMatchObject({ code: 0 });
  expect(milkrun.config()).toEqual({ contexts: { one: { url: 'http://one.example', token: 'mk_secret_of_one' } } });
});

test.each([['use'], ['remove']])('context %s of one that is not there is told', async (verb) => {
  const ran = await milkrun.run(['context', verb, 'gone']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('there is no context "gone"');
});

test('a command for a context that is not there goes nowhere', async () => {
  expect((await milkrun.run(['vehicles', 'list', '--context', 'gone'])).code).toBe(2);
});
