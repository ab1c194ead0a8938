/** JSON text of any depth; `JSON.stringify` gives up where values are nested deeper than the stack. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return flatJsonOf(value);
  }
}

function flatJsonOf(value: unknown): string {
  let text = '';
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next instanceof Written) text += next.text;
    else if (Array.isArray(next)) open.push(new Written(']'), ...next.map((item, nth) => [item, new Written(nth > 0 ? ',' : '')]).toReversed().flat(), new Written('['));
    else if (typeof next === 'object' && next !== null) open.push(new Written('}'), ...Object.entries(next).map(([name, inner], nth) => [inner, new Written(`${nth > 0 ? ',' : ''}${JSON.stringify(name)}:`)]).toReversed().flat(), new Written('{'));
    else text += JSON.stringify(next);
  }
  return text;
}

class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The value of a body; undefined where it is no JSON. A byte order mark may be there, and says nothing (RFC 8259, section 8.1). */
export function parsed(bytes: Buffer | null): unknown {
  try {
    return JSON.parse(bytes!.toString().replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
