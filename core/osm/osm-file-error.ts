export type OsmFileProblem = 'unreadable' | 'not_pbf' | 'truncated' | 'corrupt' | 'unsupported' | 'too_large';

/** What is wrong with a map file, in words that whoever supplied it can act on. Anything else thrown by a reader is a bug. */
export class OsmFileError extends Error {
  override name = 'OsmFileError';
  readonly problem: OsmFileProblem;

  constructor(problem: OsmFileProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
