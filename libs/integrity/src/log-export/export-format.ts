import type { SignedCheckpoint } from '../signed-checkpoint';
import type { StoredEvent } from '@charter/event-log';

/** Where in a file something is wrong: the line, and of which stream and revision it is, where that can be said. */
export type ExportFlaw = Readonly<{ line?: number; stream?: string; at?: number; reason: string }>;

/** A line of a file is not what belongs there; or the log to carry it into is not free for it. */
export class ImportRefused extends Error {
  constructor(
    message: string,
    readonly flaw: ExportFlaw = { reason: message },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ImportRefused';
  }
}

/** An event as it stands in a file, and how much of the file it takes. */
export type ExportedEvent = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'> &
  Readonly<{ bytes: number }>;

/** What the last line says, once everything before it agrees. */
export type ExportSummary = Readonly<{
  events: number;
  streams: number;
  /** Of a whole log its sum, of one organization the hash of its last event. */
  head: string;
  /** Undefined: the file was never signed, as those of earlier versions. */
  signed: ExportSignature | undefined;
}>;

/** By whose key, as the file says; the signature is right, but only who got that key from elsewhere knows whose it is. */
type ExportSignature = Readonly<{ checkpoint: SignedCheckpoint; key: string }>;

export type ExportLine = Readonly<Record<string, unknown>>;

/** What is wrong with a line, and where. */
export function lineRefused(reason: string, line: number, where: Readonly<{ stream?: string; at?: number }> = {}) {
  const of = where.at === undefined ? '' : `, revision ${where.at}${where.stream ? ` of ${where.stream}` : ''}`;
  return new ImportRefused(`Line ${line}${of}: ${reason}.`, { line, ...where, reason });
}

/** @throws NotCarried */
export function parseLine(text: string, line: number): ExportLine {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as ExportLine;
  } catch {
    // is told below
  }
  throw lineRefused('it is not JSON', line);
}

/** What is wrong with a line that means the same and is written in another way. */
export const NOT_CANONICAL = 'it is not written as Charter writes it: a name twice, white space, or another spelling';
