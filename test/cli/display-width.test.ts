import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { displayWidth, fitWidth, visible } from '../../cli/display-width.ts';

describe('the width of', () => {
  test.each([
    ['plain', 5], ['Käse', 4], ['é', 1], ['漢字', 4], ['ｆｕｌｌ', 8], ['한국', 4], ['🚚', 2], ['👨‍👩‍👧', 2], ['🇩🇪', 2], ['⌂×–', 3], ['⠸⡈', 2], ['❤️', 2], ['\u001b[31mred\u001b[0m', 3], ['', 0], ['a\u200bb', 2],
  ])('%j is %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

test('a text that fits stays; one that does not is cut between characters and ends in an ellipsis', () => {
  expect(fitWidth('abc', 3)).toBe('abc');
  expect(fitWidth('abcd', 3)).toBe('ab…');
  expect(fitWidth('漢字漢', 4)).toBe('漢…');
  expect(fitWidth('👨‍👩‍👧👨‍👩‍👧', 3)).toBe('👨‍👩‍👧…');
});

test('what is fitted never takes more room than there is', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.nat(12), (text, columns) => {
    expect(displayWidth(fitWidth(visible(text), columns))).toBeLessThanOrEqual(columns);
  }));
});

test('control characters are shown, not obeyed', () => {
  expect(visible('a\u001b[31m\nb\u009b\u202e')).toBe('a\\u001b[31m\\u000ab\\u009b\\u202e');
});
