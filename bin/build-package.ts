import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm pack` runs this: Node does not take types off inside of node_modules, so the package carries plain JavaScript in `dist/`. Only
 * types go (they are erasable) and file names change from `.ts` to `.js`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const folders = ['bin', 'launch', 'daemon', 'workers', 'cli', 'core'];
/** Read at run time, beside the code. */
const assets = /\.(json|html|css|js|svg|md)$/;

rmSync(dist, { recursive: true, force: true });
for (const folder of folders) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(dist, from.slice(root.length));
    mkdirSync(dirname(to), { recursive: true });
    if (entry.name.endsWith('.ts')) writeFileSync(to.replace(/\.ts$/, '.js'), javaScript(readFileSync(from, 'utf8')));
    else if (assets.test(entry.name)) cpSync(from, to);
  }
}
cpSync(join(root, 'package.json'), join(dist, 'package.json'));

function javaScript(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1');
}
