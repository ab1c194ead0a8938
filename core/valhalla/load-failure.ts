import { ValhallaError } from './error.ts';

/** Debian's packages with the libraries that Valhalla takes from the system; it brings the others along. */
const DEBIAN_PACKAGES: Record<string, string> = {
  'libbsd.so.0': 'libbsd0', 'libmd.so.0': 'libmd0', 'libselinux.so.1': 'libselinux1', 'libcrypt.so.1': 'libcrypt1',
  'libstdc++.so.6': 'libstdc++6', 'libgcc_s.so.1': 'libgcc-s1',
};

/** Why Valhalla could not be loaded, from what the loader said; null when it is something else that went wrong. */
export function loadFailure(output: string): ValhallaError | null {
  const because = reasonIn(output);
  return because === null ? null : new ValhallaError('unavailable', `Valhalla (engine_a) can not run on this machine: ${because}`, { output });
}

function reasonIn(output: string): string | null {
  const missing = /\b(lib[\w+.-]+\.(?:so|dylib)[\w.]*): (?:cannot open shared object file|file too short|invalid ELF header)/.exec(output)?.[1];
  if (missing !== undefined) return missingLibrary(missing);
  const [, symbols] = /version [`'](GLIBC(?:XX)?_[\d.]+)' not found/.exec(output) ?? [];
  if (symbols !== undefined) return `its C library is too old (${symbols} is missing). Debian 10, Ubuntu 20.04 or newer will do.`;
  if (/Error (loading shared library|relocating)|ld-musl/.test(output)) return 'it needs glibc, and this is a musl system such as Alpine. Use an image based on Debian.';
  if (/ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Cannot find (module|package)/.test(output)) return 'its npm package is missing or not whole. Install it with "npm install --include=optional".';
  if (/ERR_DLOPEN_FAILED|image not found|Library not loaded/.test(output)) return lastLine(output);
  return null;
}

function missingLibrary(library: string): string {
  const known = DEBIAN_PACKAGES[library];
  return known === undefined
    ? `${library} is missing from its npm package. Install that again: "npm ci --include=optional".`
    : `${library} is missing. On Debian and Ubuntu: "apt-get install ${known}".`;
}

function lastLine(output: string): string {
  return /Error: (.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1)!;
}
