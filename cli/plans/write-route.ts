import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { saveFile } from '../save-file.ts';
import { readRoute } from './read-routes.ts';

/** GeoJSON is JSON, so it is the same with and without --json; on one line, because thousands of numbers are for programs. */
export async function writeRoute({ operands: [id], options }: Input, context: Context): Promise<void> {
  const { view, output } = options as { view?: 'planning' | 'published'; output?: string };
  const route = await readRoute(id, view, context);
  const text = `${JSON.stringify(route)}\n`;
  if (output === undefined) return context.print(text);
  saveFile(output, text);
  context.note(`${output}: the route of plan ${id}${route.attribution ? `, ${route.attribution}` : ''}`);
}
