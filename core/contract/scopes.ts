/** What an API key may be allowed to do. An administrator's session may do all of it in its own business. */
export const scopes = [
  'orders.read', 'orders.write',
  'settings.read', 'settings.write',
  'accounts.manage', 'integrations.manage',
  'scenarios.read', 'scenarios.write',
  'planning.read', 'planning.edit', 'planning.run', 'planning.publish',
  'resources.read', 'resources.write',
  'evidence.manage', 'availability.query',
] as const;
export type Scope = (typeof scopes)[number];
