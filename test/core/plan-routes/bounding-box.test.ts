import { expect, test } from '@jest/globals';
import { BoundingBox } from '../../../core/plan-routes/bounding-box.ts';

const boxOf = (...positions: [number, number][]) => {
  const box = new BoundingBox();
  box.hold(positions);
  return box.member().bbox;
};

test('a box holds what it was given, and nothing is no box', () => {
  expect(boxOf([13, 52], [12, 53], [14, 51])).toEqual([12, 51, 14, 53]);
  expect(boxOf([13, 52])).toEqual([13, 52, 13, 52]);
  expect(boxOf()).toBeUndefined();
});

test('over the prime meridian it is an ordinary one, over the antimeridian its west is greater than its east', () => {
  expect(boxOf([-1, 51], [1, 52])).toEqual([-1, 51, 1, 52]);
  expect(boxOf([179, -17], [-179.5, -16])).toEqual([179, -17, -179.5, -16]);
  expect(boxOf([-170, -17], [-179.5, -16])).toEqual([-179.5, -17, -170, -16]);
});
