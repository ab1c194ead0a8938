/** What a build is at. `testing` is our own, after Valhalla's. */
export type BuildPhase = 'ways' | 'relations' | 'nodes' | 'edges' | 'tiles' | 'details' | 'hierarchy' | 'shortcuts' | 'restrictions' | 'checks' | 'testing';

export interface BuildStage {
  phase: BuildPhase;
  /** Of the whole build, 0 to 1, at the beginning of this stage; from the builds of four extracts. */
  fraction: number;
}

const STAGES: [beginning: string, phase: BuildPhase, fraction: number][] = [
  ['Parsing files for ways', 'ways', 0],
  ['Parsing files for relations', 'relations', 0.28],
  ['Parsing files for nodes', 'nodes', 0.3],
  ['Creating graph edges', 'edges', 0.42],
  ['Building ', 'tiles', 0.46],
  ['Enhancing local graph', 'details', 0.58],
  ['HierarchyBuilder', 'hierarchy', 0.76],
  ['Creating shortcuts', 'shortcuts', 0.84],
  ['Adding complex turn restrictions', 'restrictions', 0.9],
  ['Validating, finishing', 'checks', 0.94],
];

export const TESTING: BuildStage = { phase: 'testing', fraction: 0.97 };

/** The stage that begins with a line of Valhalla's log. */
export function stageIn(line: string): BuildStage | null {
  const text = textOf(line);
  const stage = STAGES.find(([beginning]) => text.startsWith(beginning));
  return stage ? { phase: stage[1], fraction: stage[2] } : null;
}

export interface RoadCounts {
  ways: number;
  nodes: number;
  /** Directed. */
  edges: number;
}

const COUNTS: [pattern: RegExp, count: keyof RoadCounts][] = [
  [/^Finished with (\d+) routable ways/, 'ways'],
  [/^Node Count = (\d+)/, 'nodes'],
  [/^Directed Edge Count = (\d+)/, 'edges'],
];

/** What a line of the log counts. */
export function countIn(line: string): Partial<RoadCounts> {
  const text = textOf(line);
  for (const [pattern, count] of COUNTS) {
    const found = pattern.exec(text);
    if (found) return { [count]: Number(found[1]) };
  }
  return {};
}

/** Without time and level: `2026/11/21 19:48:02.094034 [INFO] Parsing ways...`. */
function textOf(line: string): string {
  return line.replace(/^.*?\[[A-Z]+\] /, '');
}
