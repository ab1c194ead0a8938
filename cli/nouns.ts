/** The first words of commands, in the order of the help. `singular` names the operand of their verbs. */
export interface Noun {
  section: keyof typeof sections;
  summary: string;
  singular?: string;
}

export const sections = {
  account: 'Account and connection:',
  records: 'Records:',
  planning: 'Planning:',
  drivers: 'Drivers:',
  other: 'Everything else:',
} as const;

export const nouns: Record<string, Noun> = {
  'sign-up': { section: 'account', summary: 'Create an account' },
  'sign-in': { section: 'account', summary: 'Sign in' },
  'sign-out': { section: 'account', summary: 'Sign out' },
  whoami: { section: 'account', summary: 'Who is signed in' },
  context: { section: 'account', summary: 'Stored connections: service, credential and business under a name' },
  business: { section: 'account', summary: 'The business that commands are for' },
  businesses: { section: 'account', summary: 'Businesses', singular: 'business' },
  settings: { section: 'account', summary: 'Settings of the business' },
  admins: { section: 'account', summary: 'Administrators and their invitations', singular: 'membership' },
  invitations: { section: 'account', summary: 'Invitations to be an administrator' },
  notifications: { section: 'account', summary: 'What the service has to tell', singular: 'notification' },
  audit: { section: 'account', summary: 'Who did what in the business' },
  'api-keys': { section: 'account', summary: 'Integration keys', singular: 'key' },

  orders: { section: 'records', summary: 'Tasks and breaks', singular: 'order' },
  vehicles: { section: 'records', summary: 'Vehicles and their working hours', singular: 'vehicle' },
  drivers: { section: 'records', summary: 'Drivers and their activation codes', singular: 'driver' },
  warehouses: { section: 'records', summary: 'Where vehicles start and return to', singular: 'warehouse' },
  schemas: { section: 'records', summary: 'Custom fields of orders', singular: 'schema' },
  scenarios: { section: 'records', summary: 'Road graphs with sample records', singular: 'scenario' },
  regions: { section: 'records', summary: 'Areas with the roads of real maps', singular: 'region' },
  webhooks: { section: 'records', summary: 'Where events are sent', singular: 'webhook' },

  plans: { section: 'planning', summary: 'Plan, review and publish', singular: 'plan' },
  'working-hours': { section: 'planning', summary: 'What a change of hours affects, and the change' },
  availability: { section: 'planning', summary: 'Windows in which an order would fit' },
  reservations: { section: 'planning', summary: 'Windows that were offered', singular: 'reservation' },
  publications: { section: 'planning', summary: 'What was published', singular: 'publication' },
  jobs: { section: 'planning', summary: 'Background jobs', singular: 'job' },

  actions: { section: 'drivers', summary: 'What drivers have done to an order' },
  evidence: { section: 'drivers', summary: 'Photos and signatures of orders' },
  driver: { section: 'drivers', summary: 'What the signed-in driver does' },

  api: { section: 'other', summary: 'Send any request' },
  doctor: { section: 'other', summary: 'Check the connection' },
};
