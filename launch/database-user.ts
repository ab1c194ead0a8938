import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { StartError } from './start-error.ts';

/** Who runs the database where we are root: PostgreSQL refuses to run as root. */
export interface DatabaseUser {
  name: string;
  uid: number;
  gid: number;
}

/** null: the present user does. No user is created; `nobody` exists everywhere. */
export function findDatabaseUser(dataDirectory: string): DatabaseUser | null {
  if (process.getuid?.() !== 0) return null;
  return ownerOf(dataDirectory) ?? userNamed('postgres') ?? userNamed('nobody')
    ?? fail('PostgreSQL does not run as root, and there is no user "postgres" or "nobody". Start as an ordinary user or set DATABASE_URL.');
}

/** Whether the user gets to a file or directory and may read and, for directories and programs, enter or run it. */
export function canReach(path: string, user: DatabaseUser | null): boolean {
  if (user === null) {
    try {
      accessSync(path, constants.R_OK | constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }
  // Only the system itself knows about groups, access lists and mounts, so it is asked as that user.
  const check = spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...idsOf(user), cwd: '/' });
  return check.status === 0;
}

export function idsOf(user: DatabaseUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

/** A cluster keeps its user, also when a user `postgres` appears on the machine later. */
function ownerOf(directory: string): DatabaseUser | null {
  const stat = statSync(directory, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { name: String(stat.uid), uid: stat.uid, gid: stat.gid } : null;
}

function userNamed(name: string): DatabaseUser | null {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] })));
    return { name, uid, gid };
  } catch {
    return null;
  }
}

function fail(message: string): never {
  throw new StartError(message);
}
