import { describe, expect, test } from '@jest/globals';
import { formatInstant } from '../../../core/time/instants.ts';
import { shiftsOf } from '../../../core/time/shifts.ts';
import type { ClockInterval } from '../../../core/time/clock-intervals.ts';

// All instants below were worked out by hand from the offsets of the zones.

type Days = Record<string, string>;

/** Days as texts: `'08:00-12:00 13:00-17:00'`; an empty text is a date without work. */
function shiftsText(days: { weekly?: Days; overrides?: Days }, zone: string, dateStart: string, dateEnd = dateStart) {
  const hours = { weekly: intervalsOf(days.weekly), overrides: intervalsOf(days.overrides) };
  const shifts = shiftsOf(hours, zone, dateStart, dateEnd);
  return Object.fromEntries(shifts.map((shift) => [shift.date, shift.intervals.map((i) => `${formatInstant(i.startMs)} ${formatInstant(i.endMs)}`)]));
}

function intervalsOf(days: Days = {}): Record<string, ClockInterval[]> {
  return Object.fromEntries(Object.entries(days).map(([key, text]) => [key, text.split(' ').filter(Boolean).map((each) => {
    const [start, end] = each.split('-');
    return { start, end };
  })]));
}

const everyDay = (text: string): Days => Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((weekday) => [weekday, text]));

describe('an ordinary week', () => {
  // 2026-01-05 is a Monday; Berlin is one hour ahead of UTC.
  test('each date with work has one shift, ascending', () => {
    expect(shiftsText({ weekly: { 0: '08:00-12:00 13:00-17:00', 2: '09:00-10:00' } }, 'Europe/Berlin', '2026-01-05', '2026-01-12')).toEqual({
      '2026-01-05': ['2026-01-05T07:00:00Z 2026-01-05T11:00:00Z', '2026-01-05T12:00:00Z 2026-01-05T16:00:00Z'],
      '2026-01-07': ['2026-01-07T08:00:00Z 2026-01-07T09:00:00Z'],
      '2026-01-12': ['2026-01-12T07:00:00Z 2026-01-12T11:00:00Z', '2026-01-12T12:00:00Z 2026-01-12T16:00:00Z'],
    });
  });

  test('a shift keeps its intervals in order, whatever the order in which they were written', () => {
    expect(shiftsText({ weekly: { 0: '13:00-17:00 08:00-12:00' } }, 'UTC', '2026-01-05')).toEqual({
      '2026-01-05': ['2026-01-05T08:00:00Z 2026-01-05T12:00:00Z', '2026-01-05T13:00:00Z 2026-01-05T17:00:00Z'],
    });
  });

  test('intervals of one shift that touch are one', () => {
    expect(shiftsText({ weekly: { 0: '12:00-17:00 08:00-12:00 17:00-02:00' } }, 'UTC', '2026-01-05')).toEqual({
      '2026-01-05': ['2026-01-05T08:00:00Z 2026-01-06T02:00:00Z'],
    });
  });

  test('a night belongs to the date on which it begins, even where that alone is asked for', () => {
    const hours = { weekly: { 0: '22:00-06:00' } };
    expect(shiftsText(hours, 'Europe/Berlin', '2026-01-05')).toEqual({ '2026-01-05': ['2026-01-05T21:00:00Z 2026-01-06T05:00:00Z'] });
    expect(shiftsText(hours, 'Europe/Berlin', '2026-01-06')).toEqual({});
  });

  test('the night of Sunday runs into Monday, and a shift that touches it stays another shift', () => {
    expect(shiftsText({ weekly: { 6: '20:00-04:00', 0: '04:00-12:00' } }, 'Europe/Berlin', '2026-01-04', '2026-01-05')).toEqual({
      '2026-01-04': ['2026-01-04T19:00:00Z 2026-01-05T03:00:00Z'],
      '2026-01-05': ['2026-01-05T03:00:00Z 2026-01-05T11:00:00Z'],
    });
  });

  test('24:00 and 00:00 both end at the next midnight', () => {
    const evening = { '2026-01-05': ['2026-01-05T20:00:00Z 2026-01-06T00:00:00Z'] };
    expect(shiftsText({ weekly: { 0: '20:00-24:00' } }, 'UTC', '2026-01-05')).toEqual(evening);
    expect(shiftsText({ weekly: { 0: '20:00-00:00' } }, 'UTC', '2026-01-05')).toEqual(evening);
  });

  test('an end that equals the start is on the following date: work around the clock is a shift for each date', () => {
    expect(shiftsText({ weekly: everyDay('08:00-08:00') }, 'UTC', '2026-01-05', '2026-01-06')).toEqual({
      '2026-01-05': ['2026-01-05T08:00:00Z 2026-01-06T08:00:00Z'],
      '2026-01-06': ['2026-01-06T08:00:00Z 2026-01-07T08:00:00Z'],
    });
  });

  test('no dates, no shifts', () => {
    expect(shiftsText({ weekly: everyDay('08:00-12:00') }, 'UTC', '2026-01-05', '2026-01-04')).toEqual({});
    expect(shiftsText({ weekly: everyDay('08:00-12:00') }, 'UTC', '2026-01-05', '2025-01-05')).toEqual({});
    expect(shiftsText({}, 'UTC', '2026-01-05', '2026-01-11')).toEqual({});
  });

  test('zones off the hour and across the date line', () => {
    expect(shiftsText({ weekly: everyDay('08:00-17:00') }, 'Asia/Kathmandu', '2026-01-05')).toEqual({ '2026-01-05': ['2026-01-05T02:15:00Z 2026-01-05T11:15:00Z'] });
    expect(shiftsText({ weekly: everyDay('08:00-17:00') }, 'Pacific/Apia', '2026-01-05')).toEqual({ '2026-01-05': ['2026-01-04T19:00:00Z 2026-01-05T04:00:00Z'] });
  });
});

describe('overrides', () => {
  const nights = everyDay('22:00-06:00');

  test('one replaces its weekday and cuts the night before at midnight', () => {
    expect(shiftsText({ weekly: nights, overrides: { '2026-01-06': '08:00-12:00' } }, 'Europe/Berlin', '2026-01-05', '2026-01-07')).toEqual({
      '2026-01-05': ['2026-01-05T21:00:00Z 2026-01-05T23:00:00Z'],
      '2026-01-06': ['2026-01-06T07:00:00Z 2026-01-06T11:00:00Z'],
      '2026-01-07': ['2026-01-07T21:00:00Z 2026-01-08T05:00:00Z'],
    });
  });

  test('an empty one leaves nothing of its date, and the night of its weekday does not begin', () => {
    expect(shiftsText({ weekly: nights, overrides: { '2026-01-06': '' } }, 'Europe/Berlin', '2026-01-05', '2026-01-07')).toEqual({
      '2026-01-05': ['2026-01-05T21:00:00Z 2026-01-05T23:00:00Z'],
      '2026-01-07': ['2026-01-07T21:00:00Z 2026-01-08T05:00:00Z'],
    });
  });

  test('one just after the dates that are asked for cuts the last night too', () => {
    expect(shiftsText({ weekly: nights, overrides: { '2026-01-06': '' } }, 'UTC', '2026-01-05')).toEqual({ '2026-01-05': ['2026-01-05T22:00:00Z 2026-01-06T00:00:00Z'] });
  });

  test('one may have a night of its own, which runs into the weekday that follows', () => {
    expect(shiftsText({ weekly: { 2: '03:00-05:00' }, overrides: { '2026-01-06': '10:00-11:00 20:00-03:00' } }, 'Europe/Berlin', '2026-01-05', '2026-01-07')).toEqual({
      '2026-01-06': ['2026-01-06T09:00:00Z 2026-01-06T10:00:00Z', '2026-01-06T19:00:00Z 2026-01-07T02:00:00Z'],
      '2026-01-07': ['2026-01-07T02:00:00Z 2026-01-07T04:00:00Z'],
    });
  });

  test('the night of one is cut by an override of the date that follows', () => {
    expect(shiftsText({ overrides: { '2026-01-06': '20:00-03:00', '2026-01-07': '12:00-13:00' } }, 'UTC', '2026-01-06', '2026-01-07')).toEqual({
      '2026-01-06': ['2026-01-06T20:00:00Z 2026-01-07T00:00:00Z'],
      '2026-01-07': ['2026-01-07T12:00:00Z 2026-01-07T13:00:00Z'],
    });
  });

  test('an evening that ends at midnight is left as it is', () => {
    expect(shiftsText({ weekly: { 0: '20:00-24:00' }, overrides: { '2026-01-06': '' } }, 'UTC', '2026-01-05')).toEqual({ '2026-01-05': ['2026-01-05T20:00:00Z 2026-01-06T00:00:00Z'] });
  });

  test('a date can be cut where the clock skips its midnight', () => {
    // Cairo, 24 April 2026: 00:00+02:00 is followed by 01:00+03:00.
    expect(shiftsText({ weekly: nights, overrides: { '2026-04-24': '' } }, 'Africa/Cairo', '2026-04-23', '2026-04-24')).toEqual({ '2026-04-23': ['2026-04-23T20:00:00Z 2026-04-23T22:00:00Z'] });
  });

  test('a date can be cut where the clock goes back to the date before at midnight', () => {
    // Cairo, 29 October 2026: 00:00+03:00 of the 30th never shows, for it is 23:00+02:00 of the 29th once more.
    expect(shiftsText({ weekly: nights, overrides: { '2026-10-30': '' } }, 'Africa/Cairo', '2026-10-29', '2026-10-30')).toEqual({ '2026-10-29': ['2026-10-29T19:00:00Z 2026-10-29T22:00:00Z'] });
  });
});

describe('the clock goes forward', () => {
  test.each([
    ['Europe/Berlin', '2026-03-28', '22:00-06:00', '2026-03-28T21:00:00Z 2026-03-29T04:00:00Z'],
    ['Europe/Berlin', '2026-03-29', '01:00-05:00', '2026-03-29T00:00:00Z 2026-03-29T03:00:00Z'],
    ['America/New_York', '2026-03-08', '01:00-05:00', '2026-03-08T06:00:00Z 2026-03-08T09:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '01:00-03:00', '2026-10-03T14:30:00Z 2026-10-03T16:00:00Z'],
    ['Africa/Casablanca', '2026-03-22', '01:00-05:00', '2026-03-22T01:00:00Z 2026-03-22T04:00:00Z'],
    ['America/St_Johns', '2026-03-08', '01:00-04:00', '2026-03-08T04:30:00Z 2026-03-08T06:30:00Z'],
    ['Atlantic/Azores', '2026-03-29', '00:00-08:00', '2026-03-29T01:00:00Z 2026-03-29T08:00:00Z'],
    ['Atlantic/Azores', '2026-03-28', '20:00-24:00', '2026-03-28T21:00:00Z 2026-03-29T01:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '00:00-08:00', '2026-04-23T22:00:00Z 2026-04-24T05:00:00Z'],
    ['America/Santiago', '2026-09-06', '00:30-02:00', '2026-09-06T04:30:00Z 2026-09-06T05:00:00Z'],
    ['Asia/Beirut', '2026-03-28', '22:00-00:30', '2026-03-28T20:00:00Z 2026-03-28T22:30:00Z'],
    // 02:15 and 02:45 do not show; they are as much later as the clock jumped.
    ['Europe/Berlin', '2026-03-29', '02:15-02:45', '2026-03-29T01:15:00Z 2026-03-29T01:45:00Z'],
  ])('in %s, %s, %s is %s', (zone, date, text, interval) => {
    expect(shiftsText({ overrides: { [date]: text } }, zone, date)).toEqual({ [date]: [interval] });
  });

  test('an interval of which nothing is left is dropped, and a shift without intervals too', () => {
    expect(shiftsText({ overrides: { '2026-03-29': '02:00-03:00' } }, 'Europe/Berlin', '2026-03-29')).toEqual({});
    expect(shiftsText({ overrides: { '2026-03-29': '02:30-03:10' } }, 'Europe/Berlin', '2026-03-29')).toEqual({});
    expect(shiftsText({ overrides: { '2026-03-29': '02:00-03:00 08:00-09:00' } }, 'Europe/Berlin', '2026-03-29')).toEqual({ '2026-03-29': ['2026-03-29T06:00:00Z 2026-03-29T07:00:00Z'] });
  });

  test('an end that overtakes the next interval of its shift is merged with it', () => {
    expect(shiftsText({ overrides: { '2026-03-29': '01:00-02:30 03:00-03:20 06:00-07:00' } }, 'Europe/Berlin', '2026-03-29')).toEqual({
      '2026-03-29': ['2026-03-29T00:00:00Z 2026-03-29T01:30:00Z', '2026-03-29T04:00:00Z 2026-03-29T05:00:00Z'],
    });
  });

  test('an end that overtakes the next shift gives way to it', () => {
    expect(shiftsText({ weekly: { 5: '22:00-02:30', 6: '03:00-05:00' } }, 'Europe/Berlin', '2026-03-28', '2026-03-29')).toEqual({
      '2026-03-28': ['2026-03-28T21:00:00Z 2026-03-29T01:00:00Z'],
      '2026-03-29': ['2026-03-29T01:00:00Z 2026-03-29T03:00:00Z'],
    });
    expect(shiftsText({ weekly: { 5: '22:00-00:30', 6: '01:00-05:00' } }, 'Asia/Beirut', '2026-03-28', '2026-03-29')).toEqual({
      '2026-03-28': ['2026-03-28T20:00:00Z 2026-03-28T22:00:00Z'],
      '2026-03-29': ['2026-03-28T22:00:00Z 2026-03-29T02:00:00Z'],
    });
  });

  test('an interval that overtakes the start of the next shift is dropped', () => {
    // Nuuk, 28 March 2026: 23:00-02:00 is followed by 00:00-01:00 of the 29th, so 23:10 is 00:10 of the 29th.
    const late = { 5: '23:10-23:40' };
    expect(shiftsText({ weekly: late }, 'America/Nuuk', '2026-03-28', '2026-03-29')).toEqual({ '2026-03-28': ['2026-03-29T01:10:00Z 2026-03-29T01:40:00Z'] });
    expect(shiftsText({ weekly: { ...late, 6: '00:00-08:00' } }, 'America/Nuuk', '2026-03-28', '2026-03-29')).toEqual({ '2026-03-29': ['2026-03-29T01:00:00Z 2026-03-29T09:00:00Z'] });
    expect(shiftsText({ weekly: late, overrides: { '2026-03-29': '' } }, 'America/Nuuk', '2026-03-28', '2026-03-29')).toEqual({});
  });

  test('a night that the clock carries to the date after the next is cut there', () => {
    // 23:15 of the 28th does not show in Nuuk; it is 00:15 of the 29th, which is another date than the one on which the night should end.
    const night = { 4: '23:30-23:15' };
    expect(shiftsText({ weekly: night }, 'America/Nuuk', '2026-03-27')).toEqual({ '2026-03-27': ['2026-03-28T01:30:00Z 2026-03-29T01:15:00Z'] });
    expect(shiftsText({ weekly: night, overrides: { '2026-03-29': '' } }, 'America/Nuuk', '2026-03-27')).toEqual({ '2026-03-27': ['2026-03-28T01:30:00Z 2026-03-29T01:00:00Z'] });
  });

  test('a date that the zone skipped has no shift, and a night across it is as long as the clock says', () => {
    // Samoa went from 29 December 2011, 24:00-10:00, to 31 December, 00:00+14:00.
    expect(shiftsText({ weekly: everyDay('08:00-17:00') }, 'Pacific/Apia', '2011-12-29', '2011-12-31')).toEqual({
      '2011-12-29': ['2011-12-29T18:00:00Z 2011-12-30T03:00:00Z'],
      '2011-12-31': ['2011-12-30T18:00:00Z 2011-12-31T03:00:00Z'],
    });
    // The 30th, a Friday: its hours are not worked on the 31st instead.
    expect(shiftsText({ weekly: { 4: '08:00-17:00' } }, 'Pacific/Apia', '2011-12-29', '2011-12-31')).toEqual({});
    expect(shiftsText({ overrides: { '2011-12-30': '08:00-17:00' } }, 'Pacific/Apia', '2011-12-29', '2011-12-31')).toEqual({});
    expect(shiftsText({ weekly: { 3: '22:00-06:00' } }, 'Pacific/Apia', '2011-12-29', '2011-12-31')).toEqual({ '2011-12-29': ['2011-12-30T08:00:00Z 2011-12-30T16:00:00Z'] });
  });
});

describe('the clock goes back', () => {
  test.each([
    ['Europe/Berlin', '2026-10-24', '22:00-06:00', '2026-10-24T20:00:00Z 2026-10-25T05:00:00Z'],
    ['Europe/Berlin', '2026-10-25', '02:00-03:00', '2026-10-25T00:00:00Z 2026-10-25T02:00:00Z'],
    // Of a time that shows twice the first is meant, as start and as end.
    ['Europe/Berlin', '2026-10-25', '01:00-02:30', '2026-10-24T23:00:00Z 2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25', '02:30-04:00', '2026-10-25T00:30:00Z 2026-10-25T03:00:00Z'],
    ['America/New_York', '2026-11-01', '00:00-08:00', '2026-11-01T04:00:00Z 2026-11-01T13:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:00-03:00', '2026-04-04T14:00:00Z 2026-04-04T16:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45-02:00', '2026-04-04T14:45:00Z 2026-04-04T15:30:00Z'],
    ['Africa/Casablanca', '2026-02-15', '01:00-05:00', '2026-02-15T00:00:00Z 2026-02-15T05:00:00Z'],
    ['America/St_Johns', '2026-11-01', '00:00-03:00', '2026-11-01T02:30:00Z 2026-11-01T06:30:00Z'],
    ['Atlantic/Azores', '2026-10-25', '00:00-02:00', '2026-10-25T00:00:00Z 2026-10-25T03:00:00Z'],
    ['Africa/Cairo', '2026-10-29', '22:00-24:00', '2026-10-29T19:00:00Z 2026-10-29T22:00:00Z'],
    ['America/Santiago', '2026-04-04', '22:00-23:30', '2026-04-05T01:00:00Z 2026-04-05T02:30:00Z'],
    ['Asia/Beirut', '2026-10-24', '20:00-02:00', '2026-10-24T17:00:00Z 2026-10-25T00:00:00Z'],
  ])('in %s, %s, %s is %s', (zone, date, text, interval) => {
    expect(shiftsText({ overrides: { [date]: text } }, zone, date)).toEqual({ [date]: [interval] });
  });

  test('shifts that touch at a time that shows twice touch at the first', () => {
    expect(shiftsText({ weekly: { 5: '22:00-02:30', 6: '02:30-05:00' } }, 'Europe/Berlin', '2026-10-24', '2026-10-25')).toEqual({
      '2026-10-24': ['2026-10-24T20:00:00Z 2026-10-25T00:30:00Z'],
      '2026-10-25': ['2026-10-25T00:30:00Z 2026-10-25T04:00:00Z'],
    });
  });
});
