import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ValhallaError } from '../../../core/valhalla/error.ts';
import { findNativePackage, nativePackageAt } from '../../../core/valhalla/native-package.ts';
import type { NativePackage } from '../../../core/valhalla/native-package.ts';
import { valhallaProblem } from '../../../core/valhalla/valhalla-problem.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeValhalla } from './town-tiles.ts';

test('a package that is not there is named, with the command that installs it', async () => {
  const missing = new ValhallaError('unavailable', 'not installed');
  expect(await valhallaProblem(() => { throw missing; })).toBe(missing);
});

test('what went wrong for another reason is not hidden', async () => {
  await expect(valhallaProblem(() => { throw new Error('a bug'); })).rejects.toThrow('a bug');
});

/** Elsewhere a program that was changed does not start for want of a signature. */
const onLinux = process.platform === 'linux' ? test : test.skip;

describeValhalla('a package with something missing', () => {
  onLinux('is found out by loading it, the library for queries first', async () => {
    const copy = copyOfPackage({ renamed: 'valhalla_node.node' });
    expect(await valhallaProblem(() => copy)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/can not run on this machine: lib\S+ is missing/) });
  });

  onLinux('is found out by running the builder too', async () => {
    const copy = copyOfPackage({ renamed: 'valhalla_build_tiles' });
    expect(await valhallaProblem(() => copy)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/can not run on this machine: lib\S+ is missing/) });
  });

  test('is not whole without its programs', async () => {
    const directory = join(temporaryFolder(), 'package');
    mkdirSync(directory);
    for (const file of ['package.json', 'index.js', 'lib']) cpSync(join(findNativePackage().directory, file), join(directory, file), { recursive: true });
    expect(await valhallaProblem(() => nativePackageAt(directory))).toMatchObject({ code: 'unavailable', message: expect.stringContaining('npm install') });
  });

  test('crashes in a child only', async () => {
    const directory = join(temporaryFolder(), 'package');
    mkdirSync(directory);
    writeFileSync(join(directory, 'package.json'), '{"version":"3.6.1"}');
    writeFileSync(join(directory, 'index.js'), 'process.kill(process.pid, "SIGSEGV")');
    expect(await valhallaProblem(() => nativePackageAt(directory))).toMatchObject({ code: 'unavailable', message: expect.stringContaining('it ended with SIGSEGV') });
  });
});

/** The package, with the name of a library that one of its programs needs changed into one that nobody has. */
function copyOfPackage({ renamed }: { renamed: string }): NativePackage {
  const original = findNativePackage();
  const directory = join(temporaryFolder(), 'package');
  const programs = join(directory, process.platform, process.arch);
  mkdirSync(programs, { recursive: true });
  for (const file of ['package.json', 'index.js', 'lib']) cpSync(join(original.directory, file), join(directory, file), { recursive: true });
  symlinkSync(join(original.programs, 'lib'), join(programs, 'lib'));
  for (const file of ['valhalla_node.node', 'valhalla_build_tiles']) {
    copyFileSync(join(original.programs, file), join(programs, file));
    if (file !== renamed) continue;
    const bytes = readFileSync(join(programs, file));
    const at = bytes.indexOf('\0libsqlite3.');
    bytes.write('libsqliteX.', at + 1);
    writeFileSync(join(programs, file), bytes);
  }
  return nativePackageAt(directory);
}
