/** How many columns a terminal gives to a text. */
export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text.replaceAll(colourSequence, ''))) width += graphemeWidth(segment);
  return width;
}

/** The text cut to so many columns; what was cut is told by an ellipsis. Expects a text without colour. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let fitted = '';
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    fitted += segment;
  }
  return `${fitted}…`;
}

/**
 * What came from elsewhere, made safe for a terminal: control characters, with which a name could move the cursor or change the
 * colours, and marks that turn the direction of writing are shown as their code.
 */
export function visible(text: string): string {
  return text.replaceAll(unsafe, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}

let segmenter: Intl.Segmenter | undefined;
/** Made when the first text is not plain, because it takes some milliseconds. */
function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const colourSequence = /\u001b\[[0-9;]*m/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const isPlain = (text: string) => /^[ -~]*$/.test(text);
const zeroWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u;
/** East Asian Wide and Fullwidth, and what is drawn as a picture. */
const wide = /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

function graphemeWidth(grapheme: string): number {
  if (zeroWidth.test(grapheme)) return 0;
  // U+FE0F asks for the picture of a character that is a plain sign otherwise.
  return wide.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
}
