import { visible } from '../display-width.ts';
import { countText, sizeText } from '../units.ts';

/** What the job of a region has to tell, as it came over the wire. */
export interface RegionResult {
  outcome: 'installed' | 'unchanged';
  dataset_version: string;
  engine: string;
  source: { address: string; size_bytes: number; map_date: string | null };
  facts: { nodes: number; edges: number; bytes: number } | null;
}

export function renderRegionResult({ outcome, dataset_version: version, engine, source, facts }: RegionResult): string {
  const map = `the map ${visible(source.address)}${source.map_date ? ` of ${source.map_date}` : ''} (${sizeText(source.size_bytes)})`;
  if (outcome === 'unchanged') return `unchanged: ${map} is installed already, as ${version}\n`;
  const roads = facts === null ? '' : `, ${countText(facts.nodes)} nodes and ${countText(facts.edges)} edges in ${sizeText(facts.bytes)}`;
  return `installed ${version} for ${engine}${roads}\nfrom ${map}\n`;
}
