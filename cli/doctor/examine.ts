import { kindOfToken } from '../accounts/token-kind.ts';
import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { visible } from '../display-width.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { exitCodeOf } from '../failures.ts';
import { asServiceError, parseJson } from '../client.ts';

interface Finding {
  check: string;
  is_well: boolean;
  detail: string;
}

/** One check after the other; the first that fails gives the exit code. */
export async function examine(_input: Input, context: Context): Promise<number> {
  const findings: Finding[] = [];
  let code: ExitCode = exitCodes.ok;
  for (const [check, run] of Object.entries(checks)) {
    try {
      findings.push({ check, is_well: true, detail: await run(context) });
    } catch (error) {
      findings.push({ check, is_well: false, detail: (error as Error).message });
      if (code === exitCodes.ok) code = exitCodeOf(error);
    }
  }
  if (context.isJson) context.printJson({ findings });
  else for (const { check, is_well: isWell, detail } of findings) context.print(`${isWell ? context.paint('green', '✓') : context.paint('red', '✗')} ${check}: ${visible(detail)}\n`);
  return code;
}

const checks: Record<string, (context: Context) => Promise<string>> = {
  async node() {
    return process.version;
  },
  async configuration({ config, connection }) {
    return `${config.path}, context ${connection.contextName}`;
  },
  async service({ client }) {
    await probe(client, '/livez');
    return `answers at ${client.url}`;
  },
  async ready({ client }) {
    return (await probe(client, '/readyz?verbose')).trim().replaceAll(/\s+/g, ' ');
  },
  async credential({ client, connection: { token, business } }) {
    if (!token) return 'none; sign in with: milkrun sign-in';
    const kind = kindOfToken(token);
    const path = { session: '/api/v1/me', driver: '/api/v1/driver/me', key: `/api/v1/businesses/${business ?? ''}` }[kind];
    if (kind === 'key' && !business) return 'a key; which business it is for is not known';
    const response = await client.fetch({ method: 'GET', path });
    // A key without the right to read settings is a good key nevertheless.
    if (!response.ok && !(kind === 'key' && response.status === 403)) await fail(response);
    return `${kind} is valid`;
  },
  async business({ connection: { business } }) {
    return business ?? 'none chosen';
  },
};

async function probe(client: Context['client'], path: string): Promise<string> {
  const response = await client.fetch({ method: 'GET', path });
  if (!response.ok) await fail(response);
  return response.text();
}

async function fail(response: Response): Promise<never> {
  const text = await response.text();
  throw asServiceError(response, text, parseJson(text));
}
