import { shiftsOf, type WorkInterval } from '../../core/time/shifts.ts';
import type { Model, Season, VehicleState } from './state.ts';

/** The zone of the model's business. Its clock changes in the night before each season's second date. */
export const zone = 'Europe/Berlin';

export const seasons: Record<string, Season> = {
  spring: { dates: ['2031-03-29', '2031-03-30', '2031-03-31'], startMs: Date.parse('2031-03-29T06:30:00Z') },
  autumn: { dates: ['2031-10-25', '2031-10-26', '2031-10-27'], startMs: Date.parse('2031-10-25T05:30:00Z') },
};

/** A clock time on the season's date `day`; one that the clock skips is an hour later. */
export const instantAt = ({ dates }: Season, day: number, clock: string): number =>
  Temporal.PlainDateTime.from(`${dates[day]}T${clock}`).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;

/** From one end of the season to the other, the night after it included. */
export const wholeSeason = (season: Season) => ({ windowStartMs: instantAt(season, 0, '00:00'), windowEndMs: instantAt(season, 2, '23:59') + 6 * 3_600_000 });

export const intervalsOn = ({ hours }: Pick<VehicleState, 'hours'>, date: string): WorkInterval[] => shiftsOf(hours, zone, date, date)[0]?.intervals ?? [];

/** The date of the shift that is under way at an instant; where the vehicle is off, the local date. */
export function shiftDateAt(vehicle: VehicleState, atMs: number): string {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  const dates = [today.subtract({ days: 1 }).toString(), today.toString()];
  return dates.find((date) => {
    const intervals = intervalsOn(vehicle, date);
    return intervals.length > 0 && intervals[0].startMs <= atMs && atMs < intervals[intervals.length - 1].endMs;
  }) ?? dates[1];
}

export const hasBegun = (model: Model, vehicle: VehicleState, date: string): boolean => (intervalsOn(vehicle, date)[0]?.startMs ?? Infinity) <= model.nowMs;
