import { writeFileSync } from 'node:fs';
import { helpDocument } from './help-document.ts';

writeFileSync(new URL('HELP.md', import.meta.url), helpDocument());
