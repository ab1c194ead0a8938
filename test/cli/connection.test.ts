import { describe, expect, test } from '@jest/globals';
import { resolveConnection } from '../../cli/connection.ts';

const config = {
  current: 'work', current_driver: 'driver:d',
  contexts: {
    work: { url: 'https://work.example', token: 'ms_work', business: 'b-work' },
    home: { url: 'https://home.example/milk/', token: 'ms_home', business: 'b-home' },
    'driver:d': { url: 'https://work.example', token: 'md_driver' },
  },
};
const resolve = (flags = {}, env = {}, more = {}) => resolveConnection({ flags, env, config, ...more });

describe('who wins', () => {
  test('the current context where nothing else is said', () => {
    expect(resolve()).toEqual({ url: 'https://work.example', token: 'ms_work', business: 'b-work', contextName: 'work' });
  });

  test('the environment over the current context, flags over the environment', () => {
    const env = { MILKRUN_TOKEN: 'mk_env', MILKRUN_BUSINESS: 'b-env' };
    expect(resolve({}, env)).toMatchObject({ token: 'mk_env', business: 'b-env' });
    expect(resolve({ token: 'mk_flag' }, env)).toMatchObject({ token: 'mk_flag', business: 'b-env' });
  });

  test('a context named by flag over the environment', () => {
    expect(resolve({ context: 'home' }, { MILKRUN_TOKEN: 'mk_env', MILKRUN_URL: 'https://env.example' })).toEqual({ url: 'https://home.example/milk', token: 'ms_home', business: 'b-home', contextName: 'home' });
  });

  test('without anything it is the service on this machine, and nobody', () => {
    expect(resolveConnection({ flags: {}, env: {}, config: { contexts: {} } })).toEqual({ url: 'http://127.0.0.1:8080', token: undefined, business: undefined, contextName: 'default' });
  });
});

test('a credential is never sent to another service than that which gave it', () => {
  expect(resolve({ url: 'https://evil.example' })).toMatchObject({ token: undefined, business: undefined });
  expect(resolve({}, { MILKRUN_URL: 'https://evil.example' })).toMatchObject({ token: undefined, business: undefined });
  expect(resolve({ url: 'https://work.example/' })).toMatchObject({ token: 'ms_work' });
});

describe('driver commands', () => {
  test('speak for the driver who signed in last', () => {
    expect(resolve({}, { MILKRUN_TOKEN: 'ms_env' }, { isDriver: true })).toMatchObject({ token: 'md_driver', contextName: 'driver:d' });
  });

  test('or for the one whose token the environment holds', () => {
    expect(resolve({}, { MILKRUN_TOKEN: 'md_env' }, { isDriver: true })).toMatchObject({ token: 'md_env' });
  });
});

describe('wrong', () => {
  test.each([['ftp://x.example', 'http or https'], ['localhost:8080', 'http or https'], ['nonsense', 'http or https'], ['http://me:secret@x.example', 'user name or password']])('address %s', (url, message) => {
    expect(() => resolve({ url })).toThrow(message);
  });

  test('context: one that does not exist, unless the command makes it', () => {
    expect(() => resolve({ context: 'gone' })).toThrow('there is no context "gone"');
    expect(() => resolve({ context: 'constructor' })).toThrow('there is no context "constructor"');
    expect(resolve({ context: 'new' }, {}, { makesContext: true })).toMatchObject({ contextName: 'new', url: 'http://127.0.0.1:8080', token: undefined });
  });
});
