import type { SignedCheckpoint } from '../signed-checkpoint';
import type { StoredEvent } from '@charter/event-log';

/** An error in an export file: the reason, and the line, stream and revision if they are known. */
export type ExportFlaw = Readonly<{ line?: number; stream?: string; at?: number; reason: string }>;

/** The error for a file with a wrong line, or for a target log that contains other events. */
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

/** An event in an export file, with the size of its line in bytes. */
export type ExportedEvent = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'> &
  Readonly<{ bytes: number }>;

/** The verified content of an export's last line. */
export type ExportSummary = Readonly<{
  events: number;
  streams: number;
  /** For a whole log, the log's checksum; for one organization, the hash of its last event. */
  head: string;
  /** `undefined` for an unsigned file, which earlier versions of Charter wrote. */
  signed: ExportSignature | undefined;
}>;

/** A signature that matches the key in the file. The reader must still compare this key with a trusted key. */
type ExportSignature = Readonly<{ checkpoint: SignedCheckpoint; key: string }>;

export type ExportLine = Readonly<Record<string, unknown>>;

/** The error for a line: it contains the line's number and, if they are known, the stream and revision. */
export function lineRefused(reason: string, line: number, where: Readonly<{ stream?: string; at?: number }> = {}) {
  const of = where.at === undefined ? '' : `, revision ${where.at}${where.stream ? ` of ${where.stream}` : ''}`;
  return new ImportRefused(`Line ${line}${of}: ${reason}.`, { line, ...where, reason });
}

/** @throws ImportRefused */
export function parseLine(text: string, line: number): ExportLine {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as ExportLine;
  } catch {
    // the `throw` after this block refuses the line
  }
  throw lineRefused('it is not JSON', line);
}

/**
 * The reason why a line is refused although its content is right: its text differs from the text that Charter writes.
 */
export const NOT_CANONICAL = 'it is not written as Charter writes it: a name twice, white space, or another spelling';
