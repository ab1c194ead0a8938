import { operations } from '../../core/operations.ts';
import type { Command } from '../command.ts';
import { placement } from '../placement.ts';
import { deriveCommand } from './derive-command.ts';

/** One command for every operation that the placement does not give to one made by hand. */
export const derivedCommands: readonly Command[] = operations.flatMap((operation) => {
  const place = placement[operation.id];
  return place?.words && place.by === 'derived' ? [deriveCommand(operation, place)] : [];
});
