import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { openConfigStore } from '../../cli/config-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => { folder = temporaryFolder(); });

test('where no file is, nothing is configured', () => {
  expect(openConfigStore({ MILKRUN_CONFIG: join(folder, 'none.json') }).read()).toEqual({ contexts: {} });
});

test('what is written is read again, only its owner may read it, and no draft is left', () => {
  const store = openConfigStore({ XDG_CONFIG_HOME: folder });
  store.change((config) => { config.contexts.a = { url: 'http://x', token: 't' }; });
  store.change((config) => { config.current = 'a'; });
  expect(store.path).toBe(join(folder, 'milkrun', 'config.json'));
  expect(store.read()).toEqual({ current: 'a', contexts: { a: { url: 'http://x', token: 't' } } });
  expect(statSync(store.path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'milkrun')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(folder, 'milkrun'))).toEqual(['config.json']);
});

test('MILKRUN_CONFIG comes before XDG_CONFIG_HOME, and that before HOME', () => {
  expect(openConfigStore({ MILKRUN_CONFIG: '/c.json', XDG_CONFIG_HOME: '/x', HOME: '/h' }).path).toBe('/c.json');
  expect(openConfigStore({ XDG_CONFIG_HOME: '', HOME: '/h' }).path).toBe('/h/.config/milkrun/config.json');
});

test.each(['{', '[]x', '"text"', '{"contexts":7}', 'null'])('a damaged file (%s) is told, not overwritten', (content) => {
  const path = join(folder, 'config.json');
  writeFileSync(path, content);
  const store = openConfigStore({ MILKRUN_CONFIG: path });
  expect(() => store.read()).toThrow('is damaged');
  expect(() => { store.change(() => {}); }).toThrow('is damaged');
});

test('a context called like a property of every object is not there until it is made', () => {
  const store = openConfigStore({ MILKRUN_CONFIG: join(folder, 'config.json') });
  store.change((config) => { config.current = 'x'; });
  expect(store.read().contexts.constructor).toBeUndefined();
});
