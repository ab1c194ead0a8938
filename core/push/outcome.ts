/** What became of a message. */
export type PushOutcome =
  | { kind: 'sent' }
  /** The provider knows the device no more, since `at` where it says so. */
  | { kind: 'gone'; reason: string; at?: Date }
  | { kind: 'retry'; reason: string; afterSeconds?: number }
  | { kind: 'failed'; reason: string };

export interface PushMessage {
  /** A UUID: the same message again is the same message. */
  id: string;
  title: string;
  body: string;
  /** For the app. */
  data: Record<string, string>;
  /** After that it is of no use any more. */
  expiresAt: Date;
  /** A later message with the same key takes the place of this one on the device. */
  collapseKey: string;
}

export interface PushSender {
  send(deviceToken: string, message: PushMessage, signal: AbortSignal): Promise<PushOutcome>;
  close(): Promise<void>;
}

export const answerMs = 15_000;

/** Seconds or a date; undefined where it says neither. */
export function retryAfterSeconds(header: string | null | undefined, nowMs = Date.now()): number | undefined {
  if (!header) return undefined;
  if (/^\d{1,6}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
