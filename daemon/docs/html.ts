/** Markup that needs no more escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** Everything between the literal parts is escaped, unless it is markup already. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(literals.reduce((text, literal, index) => text + textOf(parts[index - 1]) + literal));
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escaped(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]);

/** The little of Markdown that descriptions use: paragraphs, code and bold words. */
export function prose(text: string): Html {
  return new Html(text.split('\n\n').map((paragraph) => `<p>${words(paragraph)}</p>`).join(''));
}

export const inline = (text: string): Html => new Html(words(text));

const words = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>').replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
