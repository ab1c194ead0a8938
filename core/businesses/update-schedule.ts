/** The five fields of a cron expression and the numbers that each may hold. Sunday is 0 and 7. */
const cronFields = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { name: 'day of week', min: 0, max: 7, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
type CronField = (typeof cronFields)[number];

/** What is wrong with a five-field cron expression; null where it is right. Shorthands, seconds, `?` and `H` are not part of it. */
export function cronProblem(expression: string): string | null {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== cronFields.length) return 'must have exactly five fields: minute, hour, day of month, month, day of week';
  for (const [index, field] of cronFields.entries()) {
    const wrong = parts[index].split(',').find((item) => !isItem(item, field));
    if (wrong !== undefined) return `has ${JSON.stringify(wrong)} as ${field.name}; it takes *, numbers from ${field.min} to ${field.max}, ranges, lists and steps`;
  }
  return null;
}

/** `*` or `1-5`, each with an optional step, or `5`. A step from a single number on means something else to every cron. */
function isItem(item: string, field: CronField): boolean {
  const match = /^(\*|\w+(?:-\w+)?)(?:\/(\d+))?$/.exec(item);
  if (match === null) return false;
  const [, range, step] = match;
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.max)) return false;
  if (range === '*') return true;
  if (step !== undefined && !range.includes('-')) return false;
  const [from, to] = range.split('-').map((text) => valueOf(text, field));
  return from !== null && to !== null && (to === undefined || from <= to);
}

function valueOf(text: string, field: CronField): number | null {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1;
  if (word >= 0) return word + (field.name === 'month' ? 1 : 0);
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return value >= field.min && value <= field.max ? value : null;
}
