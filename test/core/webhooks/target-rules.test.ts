import { describe, expect, test } from '@jest/globals';
import { targetProblem } from '../../../core/webhooks/target-rules.ts';

describe('public targets', () => {
  test.each(['https://shop.example/hooks', 'https://shop.example:8443/a?b=c', 'https://93.184.216.34/', 'https://[2606:4700::1111]/x', 'https://bücher.example/'])('%s is taken', (url) => {
    expect(targetProblem(url, 'public')).toBeNull();
  });

  test.each([
    ['http://shop.example/', 'must begin with https://'], ['ftp://shop.example/', 'must begin with https://'], ['javascript:alert(1)', 'must begin with https://'],
    ['https://user:pass@shop.example/', 'must not contain credentials'], ['https://user@shop.example/', 'must not contain credentials'], ['https://:pass@shop.example/', 'must not contain credentials'],
    ['https://shop.example/#part', 'must not contain a fragment'], ['https://shop.example/#', 'must not contain a fragment'],
    [' https://shop.example/', 'must not contain spaces, control characters or backslashes'], ['https://shop.example\\@evil.example/', 'must not contain spaces, control characters or backslashes'],
    ['https://shop.exa\tmple/', 'must not contain spaces, control characters or backslashes'],
    ['https://', 'must be a URL'], ['shop.example', 'must be a URL'],
    ...['https://localhost/', 'https://LOCALHOST./', 'https://app.localhost/', 'https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://[::1]/', 'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/latest', 'https://0/']
      .map((url) => [url, 'must lead to a public address']),
  ])('%s is refused', (url, problem) => {
    expect(targetProblem(url, 'public')).toBe(problem);
  });
});

describe('any targets', () => {
  test.each(['http://127.0.0.1:9/', 'http://localhost/', 'https://10.0.0.1/'])('%s is taken', (url) => {
    expect(targetProblem(url, 'any')).toBeNull();
  });

  test.each(['ftp://shop.example/', 'http://user@localhost/', 'http://localhost/#x', 'file:///etc/passwd'])('%s is refused', (url) => {
    expect(targetProblem(url, 'any')).not.toBeNull();
  });
});
