/** Five-field cron expressions: what they say, and what is wrong with those that say nothing. */

/** The five fields and the numbers that each may hold. Sunday is 0 and 7. */
const cronFields = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { name: 'day of week', min: 0, max: 7, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
type CronField = (typeof cronFields)[number];

/** The local times that an expression stands for. Lists are sorted. */
export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  months: ReadonlySet<number>;
  /** null: the field is `*`. Where neither of the two is null, either may match. */
  daysOfMonth: ReadonlySet<number> | null;
  /** 0 = Sunday … 6 = Saturday. */
  daysOfWeek: ReadonlySet<number> | null;
}

/** What an expression says, or what is wrong with it. Shorthands, seconds, `?` and `H` are not part of the language. */
export function parseCron(expression: string): Cron | { problem: string } {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== cronFields.length) return { problem: 'must have exactly five fields: minute, hour, day of month, month, day of week' };
  for (const [index, field] of cronFields.entries()) {
    const wrong = parts[index].split(',').find((item) => valuesOf(item, field) === null);
    if (wrong !== undefined) return { problem: `has ${JSON.stringify(wrong)} as ${field.name}; it takes *, numbers from ${field.min} to ${field.max}, ranges, lists and steps` };
  }
  const [minutes, hours, daysOfMonth, months, weekdays] = cronFields.map((field, index) => new Set(parts[index].split(',').flatMap((item) => valuesOf(item, field)!)));
  const cron: Cron = {
    minutes: sorted(minutes), hours: sorted(hours), months,
    daysOfMonth: isOpen(parts[2]) ? null : daysOfMonth,
    daysOfWeek: isOpen(parts[4]) ? null : new Set([...weekdays].map((day) => day % 7)),
  };
  return hasDays(cron) ? cron : { problem: 'names a day that no month has' };
}

const isOpen = (part: string): boolean => part === '*' || part === '*/1';
const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);

/** Of the lengths of the months, the longest that each can have. */
const monthDaysMax = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const hasDays = ({ months, daysOfMonth, daysOfWeek }: Cron): boolean =>
  daysOfMonth === null || daysOfWeek !== null || [...months].some((month) => [...daysOfMonth].some((day) => day <= monthDaysMax[month - 1]));

/** `*` or `1-5`, each with an optional step, or `5`. A step from a single number on means something else to every cron. */
function valuesOf(item: string, field: CronField): number[] | null {
  const match = /^(\*|\w+(?:-\w+)?)(?:\/(\d+))?$/.exec(item);
  if (match === null) return null;
  const [, range, stepText] = match;
  const step = Number(stepText ?? 1);
  if (step < 1 || step > field.max) return null;
  if (stepText !== undefined && range !== '*' && !range.includes('-')) return null;
  const [from, to] = range === '*' ? [field.min, field.name === 'day of week' ? 6 : field.max] : range.split('-').map((text) => valueOf(text, field));
  if (from === null || to === null || from > (to ?? from)) return null;
  return Array.from({ length: Math.floor(((to ?? from) - from) / step) + 1 }, (_, index) => from + index * step);
}

function valueOf(text: string, field: CronField): number | null {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1;
  if (word >= 0) return word + (field.name === 'month' ? 1 : 0);
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return value >= field.min && value <= field.max ? value : null;
}
