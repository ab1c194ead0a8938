/**
 * Where every operation is found on the command line: derived from the table, served by a command made by hand, or left out for
 * a reason.
 */
export type Placement =
  | { words: readonly string[]; by: 'derived'; question?: (id: string) => string }
  | { words: readonly string[]; by: 'hand' }
  | { words: null; reason: string };

const derived = (...words: string[]): Placement => ({ words, by: 'derived' });
const byHand = (...words: string[]): Placement => ({ words, by: 'hand' });
const leftOut = (reason: string): Placement => ({ words: null, reason });
const mergesLikePatch = leftOut('PUT merges as PATCH does, which `update` sends');

/** The six operations of a managed resource. */
function crud(noun: string, singular: string): Record<string, Placement> {
  return {
    [`${noun}.list`]: derived(noun, 'list'),
    [`${noun}.create`]: derived(noun, 'create'),
    [`${noun}.get`]: derived(noun, 'get'),
    [`${noun}.update`]: derived(noun, 'update'),
    [`${noun}.replace`]: mergesLikePatch,
    [`${noun}.delete`]: asking(`Delete ${singular}`, noun, 'delete'),
  };
}

/** Asked on a terminal before it is done; without one it takes --yes. */
const asking = (what: string, ...words: string[]): Placement => ({ words, by: 'derived', question: (id) => `${what} ${id}?` });

export const placement: Record<string, Placement> = {
  'accounts.create': byHand('sign-up'),
  'sessions.create': byHand('sign-in'),
  'sessions.delete': byHand('sign-out'),
  'me.get': byHand('whoami'),

  'businesses.create': byHand('businesses', 'create'),
  'businesses.list': derived('businesses', 'list'),
  'businesses.get': derived('businesses', 'get'),
  'settings.get': derived('settings', 'get'),
  'settings.update': derived('settings', 'update'),
  'settings.replace': mergesLikePatch,

  'admins.list': derived('admins', 'list'),
  'admins.create': derived('admins', 'create'),
  'admins.delete': asking('Remove the administrator or invitation', 'admins', 'delete'),
  'invitations.accept': derived('invitations', 'accept'),
  'api-keys.list': derived('api-keys', 'list'),
  'api-keys.create': derived('api-keys', 'create'),
  'api-keys.get': derived('api-keys', 'get'),
  'audit.list': derived('audit', 'list'),
  'notifications.list': derived('notifications', 'list'),
  'notifications.read': derived('notifications', 'read'),
  'notifications.read-all': derived('notifications', 'read-all'),
  'api-keys.revoke': asking('Revoke for good the key', 'api-keys', 'revoke'),

  ...crud('warehouses', 'warehouse'),
  ...crud('vehicles', 'vehicle'),
  ...crud('drivers', 'driver'),
  'drivers.reset': derived('drivers', 'reset'),
  ...crud('schemas', 'schema'),
  ...crud('orders', 'order'),
  'orders.batch': derived('orders', 'batch'),
  ...crud('scenarios', 'scenario'),
  'scenarios.load': byHand('scenarios', 'load'),
  'scenarios.activate': derived('scenarios', 'activate'),
  'scenarios.deactivate': derived('scenarios', 'deactivate'),
  ...crud('regions', 'region'),
  'regions.install': byHand('regions', 'install'),
  'regions.approve': derived('regions', 'approve'),
  'regions.unapprove': derived('regions', 'unapprove'),

  'planning.preview': byHand('plans', 'preview'),
  'jobs.list': derived('jobs', 'list'),
  'jobs.get': derived('jobs', 'get'),
  'jobs.cancel': derived('jobs', 'cancel'),
  'jobs.events': byHand('jobs', 'tail'),
  'plans.list': derived('plans', 'list'),
  'plans.create': leftOut('the service refuses it: plans are made by `plans preview`'),
  'plans.get': derived('plans', 'get'),
  'plans.route': byHand('plans', 'route'),
  'plans.update': leftOut('the service refuses it: plans are changed by `plans preview`'),
  'plans.replace': leftOut('the service refuses it: plans are changed by `plans preview`'),
  'plans.delete': asking('Delete plan', 'plans', 'delete'),
  'plans.publish': byHand('plans', 'publish'),
  'availability.query': derived('availability', 'query'),
  'reservations.list': derived('reservations', 'list'),
  'reservations.get': derived('reservations', 'get'),
  'reservations.release': asking('Release reservation', 'reservations', 'release'),
  'reservations.confirm': derived('reservations', 'confirm'),
  'working-hours.preview': derived('working-hours', 'preview'),
  'working-hours.apply': derived('working-hours', 'apply'),
  'orders.actions': derived('actions', 'list'),
  'evidence.upload': byHand('evidence', 'upload'),
  'evidence.list': derived('evidence', 'list'),
  'evidence.content': byHand('evidence', 'download'),
  'publications.list': derived('publications', 'list'),
  'publications.get': derived('publications', 'get'),

  ...crud('webhooks', 'webhook'),
  'webhooks.rotate-secret': asking('Replace the signing secret of', 'webhooks', 'rotate-secret'),
  'webhooks.test': derived('webhooks', 'test'),
  'webhooks.recover': derived('webhooks', 'recover'),
  'webhooks.deliveries.list': derived('webhooks', 'deliveries'),
  'webhooks.deliveries.redeliver': derived('webhooks', 'redeliver'),

  'driver.sessions.create': byHand('drivers', 'sign-in'),
  'driver.sessions.delete': byHand('driver', 'sign-out'),
  'driver.me': derived('driver', 'me'),
  'driver.refresh': byHand('driver', 'refresh'),
  'driver.location': derived('driver', 'location'),
  'push-devices.register': derived('driver', 'register-device'),
  'push-devices.remove': derived('driver', 'remove-devices'),
  'driver.duty': derived('driver', 'duty'),
  'driver.orders.start': derived('driver', 'start'),
  'driver.orders.complete': derived('driver', 'complete'),
  'driver.orders.unable': derived('driver', 'unable-to-complete'),
  'driver.orders.update': derived('driver', 'edit'),
  'driver.evidence.upload': byHand('driver', 'upload'),
};
