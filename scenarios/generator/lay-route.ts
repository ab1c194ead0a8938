import type { Site, Sites } from './sites.ts';

/** Seconds since Monday's midnight, as everywhere in the generator. */
export interface LaidStop {
  site: Site;
  start: number;
  durationSeconds: number;
  kind: 'task' | 'break' | 'handover';
  /** Where it is not to be opened around the start. */
  window?: Span;
}

export interface Span {
  start: number;
  end: number;
}

export interface Day {
  warehouse: Site;
  intervals: Span[];
  gap: 'wait' | 'return_to_warehouse';
  /** How many tasks each interval should have. */
  tasks: number[];
  /** What is to be done at a certain time, in order; everything else goes around it. */
  appointments: Appointment[];
}

export interface Appointment extends Pick<LaidStop, 'durationSeconds' | 'kind' | 'window'> {
  earliest: number;
}

export interface LayOptions {
  sites: Sites;
  taskSeconds: () => number;
  /** An integer below `end`. */
  below: (end: number) => number;
}

/** A task and the way to it take about so long: what is left over beyond that is spread over the day. */
const TASK_WITH_TRAVEL_SECONDS = 2700;
/** An appointment is next as soon as another task could make it late. */
const APPOINTMENT_MARGIN_SECONDS = 900;

/**
 * One vehicle's day, laid stop by stop through its working intervals: the witness that the orders made from it can be served. Neither
 * travel nor service spans the gap between two intervals. Lays fewer tasks than asked for where they do not fit.
 */
export function layRoute(day: Day, { sites, taskSeconds, below }: LayOptions): LaidStop[] {
  const stops: LaidStop[] = [];
  const appointments = [...day.appointments];
  let place = day.warehouse;
  for (const [i, interval] of day.intervals.entries()) {
    const mustReturn = day.gap === 'return_to_warehouse' || i === day.intervals.length - 1;
    let now = interval.start;
    let tasksLeft = day.tasks[i]!;

    const serve = ({ earliest, ...what }: Appointment, endMax = interval.end): boolean => {
      const site = sites.near(place);
      const start = Math.max(now + sites.travelSeconds(place, site), earliest);
      const end = start + what.durationSeconds;
      const back = mustReturn ? sites.travelSeconds(site, day.warehouse) : 0;
      if (end > endMax || end + back > interval.end) return false;
      stops.push({ ...what, site, start });
      place = site;
      now = end;
      return true;
    };
    const keepAppointment = () => {
      const appointment = appointments.shift()!;
      if (!serve(appointment, appointment.window?.end)) throw new Error(`no time for the appointment at ${appointment.earliest}`);
    };

    for (;;) {
      const appointment = appointments[0] !== undefined && appointments[0].earliest < interval.end ? appointments[0] : null;
      if (tasksLeft === 0 && appointment === null) break;
      if (appointment !== null && (tasksLeft === 0 || now >= appointment.earliest - APPOINTMENT_MARGIN_SECONDS)) {
        keepAppointment();
        continue;
      }
      const spare = Math.floor((interval.end - now) / tasksLeft) - TASK_WITH_TRAVEL_SECONDS;
      const idleMax = Math.max(0, Math.min(spare, (appointment?.earliest ?? interval.end) - now));
      const endMax = appointment?.window && appointment.window.end - appointment.durationSeconds - APPOINTMENT_MARGIN_SECONDS;
      if (serve({ earliest: now + below(idleMax + 1), durationSeconds: taskSeconds(), kind: 'task' }, endMax)) tasksLeft--;
      else if (appointment !== null) keepAppointment();
      else tasksLeft = 0;
    }
    if (mustReturn) place = day.warehouse;
  }
  return stops;
}
