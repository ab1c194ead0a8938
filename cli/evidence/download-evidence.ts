import { asServiceError, parseJson } from '../client.ts';
import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { wrongUsage } from '../failures.ts';
import { saveFile } from '../save-file.ts';

/** The image as it was sent, byte for byte. */
export async function downloadEvidence({ operands: [id], options }: Input, context: Context): Promise<void> {
  const output = options.output as string | undefined;
  const path = fillPath('/api/v1/businesses/{id}/evidence/{evidence_id}/content', { evidence_id: id }, context);
  const response = await context.client.fetch({ method: 'GET', path });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw asServiceError(response, bytes.toString(), parseJson(bytes.toString()));
  const type = response.headers.get('content-type');
  if (output !== undefined) {
    saveFile(output, bytes);
    context.note(`${output}: ${bytes.length} bytes of ${type}`);
  } else if (context.stdout.isTTY) throw wrongUsage('a terminal does not show images', 'name a file with --output, or send the output somewhere');
  else context.stdout.write(bytes);
}
