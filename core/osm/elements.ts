/** Degrees times ten million, as integers: the precision of OpenStreetMap, about a centimetre. */
export const UNITS_PER_DEGREE = 1e7;

/** Keys and values. A record's entries are such; so is what the reader gives. */
export type TagEntries = Iterable<readonly [key: string, value: string]>;

export interface Tags extends TagEntries {
  get(key: string): string | undefined;
}

export interface OsmNode {
  id: number;
  longitudeE7: number;
  latitudeE7: number;
  tags: Tags;
}

export interface OsmWay {
  id: number;
  /** Ids of its nodes. */
  refs: Float64Array;
  tags: Tags;
}

export interface OsmRelation {
  id: number;
  members: OsmMember[];
  tags: Tags;
}

export const MEMBER_TYPES = ['node', 'way', 'relation'] as const;

export interface OsmMember {
  type: (typeof MEMBER_TYPES)[number];
  id: number;
  role: string;
}

export interface Bounds {
  westE7: number;
  southE7: number;
  eastE7: number;
  northE7: number;
}

export interface OsmHeader {
  /** What the file says of itself: it may be nonsense, as in extracts that were cut by hand. */
  bounds: Bounds | null;
  requiredFeatures: string[];
  optionalFeatures: string[];
  writingProgram: string | null;
  /** Up to when edits are in it, in seconds since 1970. */
  replicationTimestamp: number | null;
}
