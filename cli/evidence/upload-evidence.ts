import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Wire } from '../columns.ts';
import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { fillPath } from '../derived/fill-path.ts';
import { wrongUsage } from '../failures.ts';
import { renderRecord } from '../record-view.ts';

const typeOf: Record<string, string> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.webp': 'image/webp' };

/** Sends the bytes of a file as the interface wants them: as numbers. */
export async function uploadEvidence(template: string, { operands: [order, file], options }: Input, context: Context): Promise<void> {
  const contentType = options.contentType ?? typeOf[extname(file).toLowerCase()];
  if (contentType === undefined) throw wrongUsage(`the name of ${file} does not say what type of image it is`, 'say it with --content-type');
  const body = { kind: options.kind, content_type: contentType, bytes: Array.from(read(file)) };
  const evidence = await context.client.send<Wire>({ method: 'POST', path: fillPath(template, { order }, context), body });
  if (context.isJson) context.printJson(evidence);
  else context.print(renderRecord(evidence, context.paint));
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw wrongUsage(`${file} can not be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
}
