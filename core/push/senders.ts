import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { PushSender } from './outcome.ts';
import { openProviderA } from './provider-a.ts';
import { openProviderB } from './provider-b.ts';
import type { PushProvider } from './schema.ts';

/** null where the configuration does not name the provider. */
export type PushSenders = Record<PushProvider, PushSender | null>;

/** Reads keys at the start of a worker, so that a wrong one is noticed then and not with the first message. */
export function openSenders({ pushA, pushB }: Pick<Config, 'pushA' | 'pushB'>): PushSenders {
  return {
    provider_a: pushA && openProviderA({ ...pushA, key: privateKey('MILKRUN_PUSH_A_KEY', textOf('MILKRUN_PUSH_A_KEY', pushA.key), 'ec') }),
    provider_b: pushB && openProviderB({ url: pushB.url, ...serviceAccount(textOf('MILKRUN_PUSH_B_ACCOUNT', pushB.account)) }),
  };
}

/** What the variable holds itself, or the file that it names. Messages say nothing of the contents. */
function textOf(variable: string, value: string): string {
  const text = value.trim();
  // A variable can seldom hold line ends; there they are written as a backslash and an n.
  if (text.startsWith('-----')) return text.replaceAll('\\n', '\n');
  if (text.startsWith('{')) return text;
  try {
    return readFileSync(text, 'utf8');
  } catch (error) {
    throw new Error(`${variable} names a file that can not be read: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
  }
}

function privateKey(variable: string, text: string, type: 'ec' | 'rsa'): KeyObject {
  const key = parseKey(text);
  if (key?.asymmetricKeyType !== type || (type === 'ec' && key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')) throw new Error(`${variable} must hold a private key in PEM, ${type === 'ec' ? 'on the curve P-256' : 'RSA'}`);
  return key;
}

function parseKey(text: string): KeyObject | null {
  try {
    return createPrivateKey(text);
  } catch {
    return null;
  }
}

function serviceAccount(text: string) {
  const refuse = () => new Error('MILKRUN_PUSH_B_ACCOUNT must hold the JSON of a service account with project_id, client_email, private_key and token_uri');
  let account: Record<string, unknown>;
  try {
    account = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw refuse();
  }
  const { project_id: projectId, client_email: clientEmail, private_key: key, token_uri: tokenUrl } = account;
  if (![projectId, clientEmail, key, tokenUrl].every((value) => typeof value === 'string' && value !== '')) throw refuse();
  return { projectId: projectId as string, clientEmail: clientEmail as string, tokenUrl: tokenUrl as string, key: privateKey('MILKRUN_PUSH_B_ACCOUNT', key as string, 'rsa') };
}
