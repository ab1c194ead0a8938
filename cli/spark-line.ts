const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A row of little bars, one per value; of more values than fit, each bar shows the last of its share. */
export function sparkLine(values: readonly number[], columns: number): string {
  const shown = values.length <= columns ? values : Array.from({ length: columns }, (_, at) => values[Math.floor(((at + 1) * values.length) / columns) - 1]);
  const low = Math.min(...shown);
  const span = Math.max(...shown) - low;
  return shown.map((value) => blocks[span === 0 ? 0 : Math.round(((value - low) / span) * (blocks.length - 1))]).join('');
}
