import { describe, expect, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { keyOf, newSecret, secretFrom } from '../../../core/webhooks/secrets.ts';
import { signedHeaders } from '../../../core/webhooks/sign.ts';

const message = { id: '019aa6b5-0000-7000-8000-000000000001', timestampSeconds: Math.floor(Date.now() / 1_000), body: '{"type":"order.created","data":{"name":"Żabka ☂"}}' };

describe('a signature', () => {
  test('is one that others verify', () => {
    const secret = newSecret();
    expect(new Verifier(secret).verify(message.body, signedHeaders(message, [secret]))).toEqual(JSON.parse(message.body));
  });

  test('is the one of the worked example in the specification of Standard Webhooks', () => {
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signedHeaders(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('of two secrets is verified with either, and with no other', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signedHeaders(message, secrets);
    for (const secret of secrets) expect(() => new Verifier(secret).verify(message.body, headers)).not.toThrow();
    expect(() => new Verifier(newSecret()).verify(message.body, headers)).toThrow('No matching signature found');
  });

  test('does not fit another body, id or time', () => {
    const secret = newSecret();
    const headers = signedHeaders(message, [secret]);
    const verifier = new Verifier(secret);
    expect(() => verifier.verify(`${message.body} `, headers)).toThrow('No matching signature found');
    expect(() => verifier.verify(message.body, { ...headers, 'webhook-id': 'other' })).toThrow('No matching signature found');
    expect(() => verifier.verify(message.body, { ...headers, 'webhook-timestamp': String(message.timestampSeconds + 1) })).toThrow('No matching signature found');
  });
});

describe('a secret', () => {
  test('is 32 random bytes', () => {
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(keyOf(newSecret())).toHaveLength(32);
    expect(newSecret()).not.toBe(newSecret());
  });

  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`;

  test('may be brought along with 24 to 64 bytes', () => {
    for (const bytes of [24, 25, 32, 64]) expect(secretFrom(of(bytes))).toBe(of(bytes));
  });

  test.each([
    ['too short', of(23)], ['too long', of(65)], ['without its prefix', of(32).slice(6)], ['empty', ''], ['only the prefix', 'whsec_'],
    ['not base64', `whsec_${'!'.repeat(44)}`], ['base64 of URLs', of(32).replaceAll('+', '-').replaceAll('/', '_')], ['without its padding', of(32).slice(0, -1)], ['with a space', `${of(32)} `],
  ])('is refused: %s', (_why, secret) => {
    expect(() => secretFrom(secret)).toThrow('/secret must be whsec_');
  });
});
