import type { SignedCheckpoint } from '../signed-checkpoint';
import type { StoredEvent } from '@charter/event-log';

/** A flaw in a file: the line, stream and revision as far as they are known, and the reason. */
export type ExportFlaw = Readonly<{ line?: number; stream?: string; at?: number; reason: string }>;

/** A line of the file is wrong, or the target log holds other events. */
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

/** An event in a file, with the size of its line. */
export type ExportedEvent = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'> &
  Readonly<{ bytes: number }>;

/** The verified content of the last line. */
export type ExportSummary = Readonly<{
  events: number;
  streams: number;
  /** For a whole log its checksum, for one organization the hash of its last event. */
  head: string;
  /** `undefined` for an unsigned file, as earlier versions wrote it. */
  signed: ExportSignature | undefined;
}>;

/** The signature with the key in the file. It is verified, but the reader must compare the key with a trusted one. */
type ExportSignature = Readonly<{ checkpoint: SignedCheckpoint; key: string }>;

export type ExportLine = Readonly<Record<string, unknown>>;

/** The error for a line, with its number, stream and revision. */
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
    // thrown below
  }
  throw lineRefused('it is not JSON', line);
}

/** The reason for a line that has the right meaning in another spelling. */
export const NOT_CANONICAL = 'it is not written as Charter writes it: a name twice, white space, or another spelling';
