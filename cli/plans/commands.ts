import { objectives } from '../../core/planning/schema.ts';
import { parseDate, parseInteger, parseList, parseNumber, type Command } from '../command.ts';

export const planCommands: readonly Command[] = [
  {
    words: ['plans', 'preview'],
    summary: 'Plan the orders that are not planned yet, as a background job',
    description: 'Makes planning versions; drivers see nothing before they are published. With --wait, Ctrl-C asks to cancel the job; a second one leaves it alone.',
    options: [
      { flags: '--vehicles <a,b>', summary: 'for these vehicles', parse: parseList },
      { flags: '--all-vehicles', summary: 'for all vehicles' },
      { flags: '--from <date>', summary: 'first date, in the time zone of the business', parse: parseDate, isRequired: true },
      { flags: '--to <date>', summary: 'last date; the first one where absent', parse: parseDate },
      { flags: '--dates <a,b>', summary: 'only these dates between the two', parse: (text, previous) => { return parseList(text, previous).map(parseDate); } },
      { flags: '--include-planned', summary: 'plan anew what is planned already' },
      { flags: '--schedule-lock', summary: 'keep planned start times and their order' },
      { flags: '--assignment-lock', summary: 'keep vehicles and drivers' },
      { flags: '--objectives <a,b>', summary: `what counts first, then second: ${objectives.join(', ')}`, parse: parseObjectives },
      { flags: '--seed <n>', summary: 'the same seed, records and iterations give the same plan', parse: parseInteger },
      { flags: '--iterations <n>', summary: 'search for so many iterations instead of a time', parse: parseInteger },
      { flags: '--time-limit <seconds>', summary: 'for travel times and search together', parse: parseNumber },
      { flags: '--wait', summary: 'follow the job and show what came of it' },
    ],
    examples: ['milkrun plans preview --all-vehicles --from 2026-03-02 --to 2026-03-03 --wait', 'milkrun plans preview --vehicles van-1,van-2 --from 2026-03-02 --seed 7 --iterations 20000 --wait --json'],
    async run(input, context) {
      const { previewPlans } = await import('./preview-plans.ts');
      return previewPlans(input, context);
    },
  },
  {
    words: ['plans', 'show'],
    summary: 'Show routes stop by stop, what is unplanned and why, and a map',
    description: 'Without ids: the latest planning version of every vehicle and shift, or with --view published what drivers see. Times are those of the business.',
    operands: [{ name: 'plan-id', summary: 'plans to show', isOptional: true, isVariadic: true }],
    options: [
      { flags: '--vehicle <id>', summary: 'only this vehicle' },
      { flags: '--date <date>', summary: 'only shifts that begin on this date', parse: parseDate },
      { flags: '--view <view>', summary: 'planning or what was published', choices: ['planning', 'published'] },
      { flags: '--no-map', summary: 'no drawing' },
      { flags: '--width <columns>', summary: 'width of the drawing', parse: parseWidth },
    ],
    examples: ['milkrun plans show --date 2026-03-02', 'milkrun plans show --view published --vehicle van-1 --no-map'],
    async run(input, context) {
      const { showPlans } = await import('./show-plans.ts');
      return showPlans(input, context);
    },
  },
  {
    words: ['plans', 'route'],
    summary: 'Write the route of a plan along the roads as GeoJSON',
    description: 'A line for each leg, with its times, and a point for each stop: for any program that shows maps.',
    operands: [{ name: 'plan-id', summary: 'id of the plan' }],
    options: [
      { flags: '--view <view>', summary: 'planning or what was published', choices: ['planning', 'published'] },
      { flags: '-o, --output <file>', summary: 'where to; without it the route goes to standard output' },
    ],
    examples: ['milkrun plans route 0198-… -o monday.geojson', 'milkrun plans route 0198-… --view published'],
    async run(input, context) {
      const { writeRoute } = await import('./write-route.ts');
      return writeRoute(input, context);
    },
  },
  {
    words: ['plans', 'publish'],
    summary: 'Publish reviewed plans, so that drivers see them',
    description: 'All or nothing, against the revisions that were just read. Plans with warnings take --acknowledge-warnings.',
    operands: [{ name: 'plan-id', summary: 'plans to publish', isOptional: true, isVariadic: true }],
    options: [
      { flags: '--all', summary: 'every plan that is not published yet' },
      { flags: '--orders <a,b>', summary: 'orders without a route whose pending status takes effect', parse: parseList },
      { flags: '--acknowledge-warnings', summary: 'publish in spite of warnings' },
      { flags: '--validate-only', summary: 'run every check and change nothing' },
    ],
    examples: ['milkrun plans publish --all', 'milkrun plans publish 0198-… --validate-only'],
    async run(input, context) {
      const { publishPlans } = await import('./publish-plans.ts');
      return publishPlans(input, context);
    },
  },
];

function parseObjectives(text: string, previous: unknown): string[] {
  const values = parseList(text, previous);
  const unknown = values.find((value) => !objectives.some((known) => known === value));
  if (unknown !== undefined) throw new Error(`has no ${JSON.stringify(unknown)}; there are ${objectives.join(', ')}`);
  return values;
}

function parseWidth(text: string): number {
  const value = parseInteger(text);
  if (value < 10 || value > 400) throw new Error('must be 10 to 400');
  return value;
}
