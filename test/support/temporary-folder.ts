import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** A new empty folder, which goes when the tests have ended. */
export const temporaryFolder = (): string => mkdtempSync(join(process.env.MILKRUN_TEST_FOLDER!, 'folder-'));
