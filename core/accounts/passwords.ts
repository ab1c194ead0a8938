import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP's smallest recommendation for argon2id (2023): 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

const argon2id = async (password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost): Promise<Buffer> =>
  Buffer.from(await derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, memory, passes, parallelism, tagLength }));

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** The password's hash in the PHC string format, with its salt and cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await argon2id(password, salt, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Takes as long for no account (`null`) as for a wrong password. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const match = phcPattern.exec(hash ?? (await nobodysHash()));
  if (match === null) throw new Error('a stored password hash is not in the PHC format');
  const [, memory, passes, parallelism, salt, expected] = match;
  const found = await argon2id(password, Buffer.from(salt, 'base64'), { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) });
  return timingSafeEqual(found, Buffer.from(expected, 'base64')) && hash !== null;
}

let nobody: Promise<string> | undefined;
const nobodysHash = (): Promise<string> => (nobody ??= hashPassword(randomBytes(16).toString('hex')));
