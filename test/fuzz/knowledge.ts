import fc from 'fast-check';
import type { Schema } from './document.ts';
import { kindOf } from './learn.ts';
import type { Drawing } from './values.ts';
import { dayAfter, type CustomField, type World } from './world.ts';

type Know = (drawing: Drawing, schema: Schema) => unknown;

export const password = 'correct horse battery';

const slug = fc.stringMatching(/^[a-z]{3,8}[0-9]{1,4}$/);

/** An id of a record that is there, so far as is known; now and then one that is not. */
const idOf = (kind: string): Know => ({ dice, world }) => {
  const id = world.ids.pick(kind, dice);
  return id === undefined || dice.chance(0.04) ? dice.pick(['elsewhere', 'nobody', dice.of(slug)]) : id;
};

const idsOf = (kind: string): Know => (drawing, schema) => {
  const length = Math.max(schema.minItems ?? 0, drawing.dice.int(0, 4));
  return [...new Set(Array.from({ length }, () => idOf(kind)(drawing, schema)))];
};

const location: Know = ({ dice, world }) => dice.chance(0.05)
  ? { latitude: dice.of(fc.double({ min: -90, max: 90, noNaN: true })), longitude: dice.of(fc.double({ min: -180, max: 180, noNaN: true })) }
  : { latitude: 52.2 + dice.int(-20, 30) / 1_000, longitude: (world.scenarioId === 'town' ? 13.95 : 13.8) + dice.int(-40, 60) / 1_000 };

const clock = ({ dice }: Drawing, from: number, to: number): string => `${String(dice.int(from, to)).padStart(2, '0')}:${dice.pick(['00', '30', '15'])}`;
const hours = (drawing: Drawing): object[] => drawing.dice.weighted<() => object[]>([
  [6, () => [{ start: clock(drawing, 5, 9), end: clock(drawing, 10, 18) }]],
  [2, () => [{ start: clock(drawing, 5, 7), end: clock(drawing, 8, 11) }, { start: clock(drawing, 12, 13), end: clock(drawing, 14, 20) }]],
  [1, () => [{ start: clock(drawing, 18, 23), end: clock(drawing, 1, 6) }]], [1, () => [{ start: '00:00', end: '24:00' }]], [1, () => []],
])();

const workingHours: Know = (drawing) => {
  const { dice, world } = drawing;
  const days = dice.chance(0.8) ? ['0', '1', '2', '3', '4', '5', '6'] : [dice.pick(['0', '3', '6'])];
  const overrides = dice.chance(0.3) ? [[dayAfter(world.monday, dice.int(-1, 3)), hours(drawing)]] : [];
  return { weekly: Object.fromEntries(days.map((day) => [day, hours(drawing)])), overrides: Object.fromEntries(overrides), ...(dice.chance(0.3) ? { gap_policy: dice.pick(['return_to_warehouse', 'wait']) } : {}) };
};

/** Values for the fields that the schemas of the business define, as they define them. */
const customFields: Know = ({ dice, world }) => {
  const fields = [...world.fields.values()].flat();
  return Object.fromEntries(fields.filter(() => dice.chance(0.9)).map((field) => [field.id, dice.chance(0.95) ? fieldValue(field, world) : dice.of(fc.jsonValue({ maxDepth: 1 }))]));

  function fieldValue({ type, choices = [], multiple }: CustomField, { monday }: World): unknown {
    const choice = choices.length > 0 ? dice.pick(choices).id : 'none';
    const values: Record<string, () => unknown> = {
      text: () => dice.of(fc.string({ unit: 'grapheme' })), number: () => dice.of(fc.double({ noNaN: true, noDefaultInfinity: true })), date: () => monday,
      datetime: () => `${monday}T10:00:00Z`, boolean: () => dice.chance(0.5), select: () => (multiple ? [choice] : choice),
    };
    return values[type]?.() ?? null;
  }
};

const fieldDefinitions: Know = ({ dice }) => Array.from({ length: dice.int(0, 3) }, () => {
  const type = dice.pick(['text', 'number', 'date', 'datetime', 'boolean', 'select']);
  const isVisible = dice.chance(0.7);
  return {
    id: dice.of(slug), name: dice.of(slug), type, driver_visible: isVisible, driver_editable: isVisible && dice.chance(0.7), ...(dice.chance(0.15) ? { required: true } : {}),
    ...(type === 'select' ? { multiple: dice.chance(0.4), choices: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] } : {}),
  };
});

/** A street of a few corners near the others. */
const nodes: Know = ({ dice }) => Array.from({ length: dice.int(2, 6) }, (_, nth) => ({ id: `n${nth}`, x: 13.8 + nth / 100, y: 52.2 + dice.int(0, 9) / 1_000 }));
const edges: Know = ({ dice }) => Array.from({ length: dice.int(0, 3) }, (_, nth) => ({ id: `e${nth}`, from: `n${dice.int(0, 1)}`, to: `n${dice.int(0, 1)}`, time_seconds: dice.int(0, 600), distance_meters: dice.int(0, 9_000), ...(dice.chance(0.5) ? { bidirectional: true } : {}) }));
/** Mostly none, because loading them takes the place of what others work with. */
const samplesOf = (sample: (nth: number) => object): Know => ({ dice }) => dice.weighted<() => unknown[]>([[3, () => []], [2, () => Array.from({ length: dice.int(1, 3) }, (_, nth) => sample(nth))], [1, () => dice.of(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }), { maxLength: 3 }))]])();

/** A rectangle; a region may have several. */
const geometry: Know = ({ dice }) => {
  const [west, south] = [dice.int(-170, 160), dice.int(-80, 70)];
  const ring = [[west, south], [west + 1, south], [west + 1, south + 1], [west, south + 1], [west, south]];
  return dice.chance(0.8) ? { type: 'Polygon', coordinates: [ring] } : { type: 'MultiPolygon', coordinates: [[ring]] };
};

const image: Know = ({ dice, world }) => [...dice.pick(dice.pick(Object.values(world.images)))];

const secretOf = (kind: string): Know => ({ dice, world }) => world.secrets.pick(kind, dice) ?? `${kind}_of_nobody`;

/** By the name of a property or a parameter: a value that makes sense in this business, or undefined where any will do. */
export const known: Record<string, Know> = {
  email: ({ dice }) => `${dice.of(slug)}@${dice.of(slug)}.example`,
  password: ({ dice }) => (dice.chance(0.8) ? password : undefined),
  name: ({ dice }) => (dice.chance(0.6) ? dice.of(slug) : undefined),
  time_zone: ({ dice }) => dice.weighted([[12, 'Europe/Berlin'], [1, 'UTC'], [1, 'America/New_York'], [1, 'Pacific/Apia'], [1, 'Asia/Kathmandu']]),
  update_schedule: ({ dice }) => dice.pick(['0 3 * * 0', '*/15 1-4 1,15 * *', '59 23 31 12 *', '30 2 29 2 1-5']),
  url: ({ dice, world }) => dice.weighted([[4, world.webhookUrl], [1, `${world.webhookUrl}/fail`], [1, 'https://hooks.invalid/milkrun']]),
  secret: ({ dice }) => `whsec_${Buffer.from(dice.of(fc.uint8Array({ minLength: 24, maxLength: 64 }))).toString('base64')}`,
  device_token: ({ dice }) => Buffer.from(dice.of(fc.uint8Array({ minLength: 16, maxLength: 32 }))).toString('hex'),
  // Where evidence is required, most work could never be completed.
  require_photos: ({ dice }) => dice.chance(0.15),
  require_signature: ({ dice }) => dice.chance(0.1),
  activation_code: secretOf('activation_code'),
  invitation_code: secretOf('invitation_code'),
  action_id: ({ dice }) => dice.of(fc.uuid()),
  captured_at: ({ dice, world }) => new Date(world.now() - dice.int(0, 3) * 1_000).toISOString(),
  recorded_at: ({ dice, world }) => new Date(world.now() - dice.int(0, 3_600) * 1_000).toISOString(),
  expires_at: ({ world }) => `${dayAfter(world.monday, 30)}T00:00:00Z`,
  since: ({ dice, world }) => new Date(world.now() - dice.int(0, 86_400) * 1_000).toISOString(),
  location, working_hours: workingHours, custom_fields: customFields, fields: fieldDefinitions,
  nodes, edges, orders: samplesOf((nth) => ({ node_id: `n${nth % 2}`, duration_seconds: 600, window_start: '2026-03-02T08:00:00+01:00', window_end: '2026-03-02T10:00:00+01:00' })), warehouses: samplesOf(() => ({ id: 'corner', name: 'Corner', node_id: 'n0' })),
  vehicles: samplesOf((nth) => ({ name: `Van ${nth}`, warehouse_id: 'corner' })), drivers: samplesOf((nth) => ({ name: `Driver ${nth}`, email: `driver-${nth}@corner.example` })),
  bytes: image, geometry,
  // What is searched for long keeps others waiting; what the schema allows beyond this is among the spoilt requests.
  max_iterations: ({ dice }) => dice.int(1, 300),
  time_limit_seconds: ({ dice }) => dice.int(1, 5) / 10,
  duration_seconds: ({ dice }) => dice.int(1, 40) * 60,
  gap_seconds: ({ dice }) => dice.int(0, 30) * 60,
  limit: ({ dice }) => dice.pick([1, 2, 5, 100, 10_000]),
  q: ({ dice }) => dice.pick(['van', 'order-1', 'a', 'ö%_', '日本', 'x y z', dice.of(fc.string({ unit: 'grapheme', maxLength: 50 }))]),
  actor: ({ world }) => world.membershipId,
  group_id: ({ dice, world }) => world.ids.pick('groups', dice),
  ...Object.fromEntries(['vehicle_id', 'warehouse_id', 'driver_id', 'replacement_driver_id', 'order_id', 'device_id', 'job_id'].map((name) => [name, idOf(kindOf(name)!)])),
  ...Object.fromEntries(['vehicle_ids', 'order_ids', 'plan_ids'].map((name) => [name, idsOf(kindOf(name)!)])),
};

/** Makes the properties of one object fit together: what begins before it ends makes sense more often. */
export function agree(value: Record<string, unknown>, { dice, world }: Drawing): void {
  for (const [first, last] of pairs) {
    if (typeof value[first] === 'string' && typeof value[last] === 'string' && Date.parse(value[first]) > Date.parse(value[last])) [value[first], value[last]] = [value[last], value[first]];
  }
  if ('bytes' in value && 'content_type' in value) value.bytes = [...dice.pick(world.images[value.content_type as string])];
  if ('duration_seconds' in value && 'window_start' in value && value.type !== 'break') delete value.replacement_driver_id;
  if ('start' in value && 'location' in value && !('candidate_windows' in value)) value.gap_seconds ??= 0;
  if ('accepted' in value) value.accepted = true;
  if ('acknowledge_warnings' in value) value.acknowledge_warnings = true;
}

const pairs = [['start', 'end'], ['window_start', 'window_end'], ['date_start', 'date_end'], ['from', 'to']] as const;
