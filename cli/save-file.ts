import { writeFileSync } from 'node:fs';
import { wrongUsage } from './failures.ts';

export function saveFile(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw wrongUsage(`${file} can not be written: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
  }
}
