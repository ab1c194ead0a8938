import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** What is being written. It is listed like the rest, so that what a crash leaves here is swept like the rest. */
const unfinished = 'unfinished';

/** Objects as files below one directory. */
export function openFileStore(root: string): ObjectStore {
  return {
    async put(key, bytes) {
      const target = join(root, key);
      const temporary = join(root, unfinished, randomUUID());
      const folder = dirname(target);
      const created = [await mkdir(dirname(temporary), { recursive: true }), await mkdir(folder, { recursive: true })].some(Boolean);
      try {
        await writeSafely(temporary, bytes);
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      for (const each of created ? foldersUpTo(root, folder) : [folder]) await syncFolder(each);
    },
    async read(key) {
      try {
        const file = await open(join(root, key), 'r');
        return file.createReadStream();
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    list: () => filesBelow(root),
    async remove(key) {
      await rm(join(root, key), { force: true });
    },
    close() {},
  };
}

async function writeSafely(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A file has its name only when the folder is on disk too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function foldersUpTo(root: string, folder: string): string[] {
  return folder === root || !folder.startsWith(root) ? [folder] : [folder, ...foldersUpTo(root, dirname(folder))];
}

async function* filesBelow(root: string, folder = root): AsyncIterable<StoredObject> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile()) {
      const found = await stat(path).catch(() => null);
      if (found) yield { key: relative(root, path).split(sep).join('/'), modifiedAt: found.mtime };
    }
  }
}

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';
