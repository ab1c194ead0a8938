import { readFileSync, writeFileSync } from 'node:fs';
import { city } from './generator/city.ts';
import { scenarioText } from './generator/scenario.ts';
import { tiny } from './generator/tiny.ts';
import { town } from './generator/town.ts';

/** Writes the scenarios of this folder: `npm run scenarios:generate`. The same bytes every time, on every machine. */
for (const generate of [tiny, town, city]) {
  const { scenario } = generate();
  const file = new URL(`./${scenario.id}.json`, import.meta.url);
  const text = scenarioText(scenario);
  const isSame = text === textOf(file);
  if (!isSame) writeFileSync(file, text);
  console.log(
    `${scenario.id}.json: ${scenario.nodes.length} nodes, ${scenario.edges.length} edges, ${scenario.orders.length} orders, ` +
      `${scenario.vehicles.length} vehicles, ${Buffer.byteLength(text)} bytes, ${isSame ? 'unchanged' : 'written'}`,
  );
}

function textOf(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
