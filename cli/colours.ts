/** Wraps a text in the codes of a colour or style; without colour the text comes back as it is. */
export type Paint = (style: Style, text: string) => string;
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | { palette: number };

const codes = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33' } as const;

/** Colours of the 256-colour palette that can be told apart on dark and on light ground. */
const palette = [33, 208, 34, 199, 37, 172, 99, 160, 70, 133, 25, 130] as const;

export const paintWith = (hasColour: boolean): Paint => (hasColour ? paint : (_style, text) => text);

function paint(style: Style, text: string): string {
  if (text === '') return text;
  const code = typeof style === 'string' ? codes[style] : `38;5;${palette[style.palette % palette.length]}`;
  return `\u001b[${code}m${text}\u001b[0m`;
}
