import type { Problem } from '../core/contract/errors.ts';

/** PostgreSQL stores every text but these: U+0000, and half of a surrogate pair, which is no character at all. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const message = 'must not contain U+0000 or half of a surrogate pair';
const problemsMax = 100;

/** Where a JSON value holds a text, or a name of a property, that can not be stored. */
export function unstorableTexts(value: unknown, path = '', problems: Problem[] = []): Problem[] {
  if (problems.length >= problemsMax) return problems;
  if (typeof value === 'string') {
    if (!isStorable(value)) problems.push({ path, message });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorable(name)) problems.push({ path, message: `has a name of a property that ${message}` });
      else unstorableTexts(inner, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, problems);
    }
  }
  return problems;
}
