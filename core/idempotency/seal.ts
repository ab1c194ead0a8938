import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;

/** Salt, nonce, tag and ciphertext (AES-256-GCM) in one. */
export function seal(text: string, keyFor: (salt: Buffer) => Buffer): Buffer {
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyFor(salt), nonce);
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), hidden]);
}

export function unseal(sealed: Buffer, keyFor: (salt: Buffer) => Buffer): string {
  const salt = sealed.subarray(0, saltBytes);
  const nonce = sealed.subarray(saltBytes, saltBytes + nonceBytes);
  const tag = sealed.subarray(saltBytes + nonceBytes, saltBytes + nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', keyFor(salt), nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(saltBytes + nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}
