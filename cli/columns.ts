import type { Column } from './table.ts';
import { durationText } from './units.ts';

/** A record as it came over the wire. */
export type Wire = Record<string, unknown>;

/** What a list of each noun shows. Instants stay as they are on the wire: in UTC. */
export const columnsOf: Record<string, readonly Column<Wire>[]> = {
  businesses: [field('id'), field('name'), field('time_zone')],
  admins: [field('id'), field('email'), field('name'), field('state'), field('invitation_expires_at', 'invited until')],
  'api-keys': [field('id'), field('name'), field('prefix'), list('scopes'), field('last_used_at', 'last used'), field('expires_at', 'expires'), field('revoked_at', 'revoked')],
  warehouses: [field('id'), field('name'), location(), field('revision')],
  vehicles: [field('id'), field('name'), field('warehouse_id', 'warehouse'), field('driver_id', 'driver'), field('height_meters', 'm high'), field('weight_kg', 'kg'), { title: 'works on', value: weekdays }, field('revision')],
  drivers: [field('id'), field('name'), field('email'), yesNo('active'), field('duty_status', 'duty'), location('last seen at'), field('revision')],
  schemas: [field('id'), field('name'), { title: 'fields', value: ({ fields }) => (fields as Wire[]).map(({ id }) => id).join(', ') }, field('revision')],
  orders: [
    field('id'), field('type'), { title: 'status', value: ({ status, pending_status: pending }) => (pending ? `${String(status)} → ${String(pending)}` : String(status)) },
    field('window_start', 'from'), field('window_end', 'until'), { title: 'takes', align: 'right', value: ({ duration_seconds: seconds }) => durationText(Number(seconds)) },
    field('vehicle_id', 'vehicle'), field('scheduled_at', 'scheduled'), location(),
  ],
  scenarios: [field('id'), field('name'), count('nodes'), count('edges'), count('orders'), count('vehicles'), yesNo('active'), field('revision')],
  regions: [field('id'), field('name'), field('status'), yesNo('approved'), field('next_map_update_at', 'next update'), field('dataset_version', 'dataset'), field('error'), field('revision')],
  plans: [
    field('id'), field('vehicle_id', 'vehicle'), field('date'), field('state'), count('stops'), field('start_at', 'start'), field('end_at', 'end'),
    count('unplanned_order_ids', 'unplanned'), count('warnings'), field('revision'),
  ],
  reservations: [field('id'), field('group_id', 'group'), field('status'), field('start'), field('end'), field('vehicle_id', 'vehicle'), field('expires_at', 'expires'), field('order_id', 'order')],
  publications: [field('id'), field('created_at', 'published'), count('plan_ids', 'plans'), count('order_ids', 'orders'), count('acknowledged_warnings', 'warnings')],
  notifications: [field('id'), field('created_at', 'at'), field('kind'), field('message'), field('read_at', 'read')],
  audit: [
    field('at'), { title: 'actor', value: ({ actor }) => actorText(actor as { kind: string; name: string | null }) }, field('operation'), field('record_id', 'record'),
    count('changes'), field('address'),
  ],
  webhooks: [field('id'), field('name'), field('url'), list('events'), yesNo('active'), field('failing_since', 'failing since'), field('disabled_reason', 'switched off because'), field('revision')],
  actions: [field('at'), field('kind'), field('driver_id', 'driver'), field('reason'), field('created_at', 'received')],
  evidence: [
    field('id'), field('kind'), field('content_type', 'type'), field('size_bytes', 'bytes'), { title: 'pixels', value: ({ width, height }) => `${String(width)} × ${String(height)}` },
    field('uploaded_by', 'uploaded by'), field('created_at', 'at'),
  ],
  jobs: [
    field('id'), field('kind'), field('status'), { title: 'done', align: 'right', value: ({ progress }) => percent(progress) },
    field('created_at', 'created'), field('finished_at', 'finished'), { title: 'error', value: ({ error }) => (error as Wire | null)?.message as string | undefined },
  ],
};

function field(name: string, title = name.replaceAll('_', ' ')): Column<Wire> {
  return { title, value: (record) => record[name] as string | number | null, ...(name === 'revision' ? { align: 'right' } : {}) };
}

function count(name: string, title = name.replaceAll('_', ' ')): Column<Wire> {
  return { title, align: 'right', value: (record) => (record[name] as unknown[] | undefined)?.length ?? 0 };
}

function list(name: string): Column<Wire> {
  return { title: name, value: (record) => (record[name] as string[]).join(' ') };
}

function yesNo(name: string): Column<Wire> {
  return { title: name, value: (record) => (record[name] ? 'yes' : 'no') };
}

function location(title = 'location'): Column<Wire> {
  return { title, value: (record) => locationText(record.location as { latitude: number; longitude: number } | null) };
}

const locationText = (at: { latitude: number; longitude: number } | null | undefined) => (at ? `${at.latitude},${at.longitude}` : null);
const actorText = ({ kind, name }: { kind: string; name: string | null }) => name ?? kind;
const percent = (progress: unknown) => `${Math.floor(Number((progress as Wire | null)?.fraction ?? 0) * 100)} %`;

const dayNames = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

function weekdays({ working_hours: hours }: Wire): string {
  const weekly = (hours as { weekly?: Record<string, unknown[]> } | null)?.weekly ?? {};
  return dayNames.filter((_name, day) => (weekly[day]?.length ?? 0) > 0).join(' ');
}
