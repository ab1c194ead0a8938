import { tmpdir } from 'node:os';

/** A temporary directory that the database's user can reach also when root runs the tests, whose own one may be closed. */
export function openTmpdir(): string {
  return process.getuid?.() === 0 ? '/tmp' : tmpdir();
}
