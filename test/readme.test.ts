import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { variables } from '../core/config.ts';
import { startService, type TestService } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const config = mkdtempSync(join(tmpdir(), 'milkrun-readme-'));
let service: TestService;

beforeAll(async () => {
  service = await startService({ workers: true });
});
afterAll(async () => {
  await service.close();
  rmSync(config, { recursive: true });
});

/** A command of the tour and the lines that README shows of its output; `…` stands for what differs from run to run. */
interface Example {
  command: string;
  lines: string[];
}

function examples(): Example[] {
  const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1]);
  return blocks.flatMap((block) => block.split(/^\$ /m).filter(Boolean).map((text) => {
    const [command, ...lines] = text.trimEnd().split('\n');
    return { command, lines: lines.filter((line) => line.trim() !== '') };
  }));
}

function run(command: string): Promise<string> {
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}`, MILKRUN_URL: service.url, XDG_CONFIG_HOME: config, NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', command], { cwd: root, env }, (error, stdout, stderr) => (error ? reject(new Error(`${command}: ${stderr}`)) : resolve(`${stdout}${stderr}`)));
  });
}

const pattern = (line: string): RegExp => new RegExp(`^${line.trim().split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);

test('the tour does what README shows', async () => {
  const tour = examples();
  expect(tour.length).toBeGreaterThan(6);
  let code = '';
  for (const { command, lines } of tour) {
    const output = (await run(command.replace('<activation code>', code))).split('\n').map((line) => line.trim());
    code = output.map((line) => /ma_[0-9A-Za-z]+/.exec(line)?.[0]).find(Boolean) ?? code;
    for (const line of lines) expect({ command, output, hasLine: output.some((said) => pattern(line).test(said)), line }).toMatchObject({ hasLine: true });
  }
}, 60_000);

test('the table of environment variables is that of the configuration', () => {
  for (const { name, default: value, description } of variables) {
    expect(readme).toContain(`| \`${name}\` | ${value === null ? '' : `\`${value}\``} | ${description} |`);
  }
  const named = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
  expect(named).toEqual(variables.map((variable) => variable.name));
});

test('every file that the documents link to is there', () => {
  for (const document of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    const links = [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1]);
    for (const link of links) expect(() => readFileSync(join(root, link))).not.toThrow();
  }
});
