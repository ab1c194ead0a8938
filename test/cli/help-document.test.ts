import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { commands } from '../../cli/commands.ts';
import { helpDocument } from '../../cli/help-document.ts';

test('cli/HELP.md is that of the present commands; if not: npm run cli:help', () => {
  expect(readFileSync(new URL('../../cli/HELP.md', import.meta.url), 'utf8')).toBe(helpDocument());
});

test('every command has its chapter', () => {
  const document = helpDocument();
  expect(commands.filter(({ words }) => !document.includes(`\n## milkrun ${words.join(' ')}\n`)).map(({ words }) => words)).toEqual([]);
});
