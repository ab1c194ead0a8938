import { operations } from '../../core/operations.ts';
import type { Command } from '../command.ts';
import { deriveCommand, describe } from '../derived/derive-command.ts';

const operation = operations.find(({ id }) => id === 'businesses.create')!;
const place = { words: ['businesses', 'create'], by: 'hand' } as const;
const derived = describe(operation, place);

/** As derived, with a choice to go on with the new business. */
export const createBusinessCommand: Command = {
  ...deriveCommand(operation, place, { options: [{ flags: '--use', summary: 'make it the business that commands are for' }] }),
  examples: ["milkrun businesses create --name 'Milk & Bread' --time-zone Europe/Berlin --use"],
  async run(input, context) {
    const [{ useBusiness }, { sendOperation }, { renderRecord }] = await Promise.all([import('../contexts/use-business.ts'), import('../derived/run-operation.ts'), import('../record-view.ts')]);
    const business = (await sendOperation(derived, input, context)) as { id: string; name: string };
    if (context.isJson) context.printJson(business);
    else context.print(renderRecord(business, context.paint));
    if (input.options.use) useBusiness(business, context);
  },
};
