/** Node runs the TypeScript as it is, so nothing is transformed. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/bench/'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: ['<rootDir>/test/support/random-values.ts'],
  testTimeout: 60_000,
  // Most tests wait for a database and for processes: one for each core, where Jest would leave one free.
  maxWorkers: '100%',
};
