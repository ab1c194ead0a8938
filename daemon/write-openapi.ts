import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi.ts';

/** `npm run openapi` writes the committed document; a test says when it is stale. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
writeFileSync(new URL('./openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(version), null, 2)}\n`);
