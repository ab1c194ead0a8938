import { describe, expect, test } from '@jest/globals';
import { commands, handMadeCommands } from '../../cli/commands.ts';
import { columnsOf } from '../../cli/columns.ts';
import { nouns } from '../../cli/nouns.ts';
import { placement } from '../../cli/placement.ts';
import { operations } from '../../core/operations.ts';

const words = (command: { words: readonly string[] }) => command.words.join(' ');

describe('every operation has its place on the command line', () => {
  test.each(operations.map(({ id }) => id))('%s', (id) => {
    const place = placement[id];
    // A new operation: give it its words in cli/placement.ts, or null with the reason.
    expect(place).toBeDefined();
    if (place.words === null) expect(place.reason.length).toBeGreaterThan(10);
    else expect(commands.map(words)).toContain(place.words.join(' '));
    if (place.words && place.by === 'hand') expect(handMadeCommands.map(words)).toContain(place.words.join(' '));
  });

  test('no place is kept for an operation that is gone', () => {
    expect(Object.keys(placement).filter((id) => !operations.some((operation) => operation.id === id))).toEqual([]);
  });
});

test('no two commands have the same words', () => {
  const all = commands.map(words);
  expect(all.filter((each, at) => all.indexOf(each) !== at)).toEqual([]);
});

test('every first word is told in the help, and none is told that leads nowhere', () => {
  expect([...new Set(commands.map(({ words: [noun] }) => noun))].toSorted()).toEqual(Object.keys(nouns).toSorted());
});

test('every list has columns chosen for it', () => {
  const listed = operations.flatMap(({ id }) => (id.endsWith('.list') && placement[id].words ? [placement[id].words[0]] : []));
  expect(listed.filter((noun) => !(noun in columnsOf))).toEqual([]);
});
