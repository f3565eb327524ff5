import type { FileProgress, FileVerdict } from './file-check/export-check';

/** The request to the worker: the addresses of the export and, if the service refuses it, of the events. */
export type ProofRequest = Readonly<{
  exportUrl: string;
  eventsUrl: string;
  /** Whether the worker keeps the bytes of the export, so that the person can save the file. */
  keeps: boolean;
}>;

/** A refusal of the service, as its problem document says it. */
export type ExportRefusal = Readonly<{
  status: number;
  reason: string;
  request: string;
  retryAfter: number | null;
  /** Only for a broken chain: the revision, and why. */
  at: number | null;
  why: string;
}>;

/** How the check in the browser ended. */
export type ProofResult =
  | Readonly<{ kind: 'checked'; verdict: FileVerdict; file?: Blob }>
  /** The service signed no export. `verdict` is what the browser found in the events themselves. */
  | Readonly<{ kind: 'refused'; refusal: ExportRefusal; verdict?: FileVerdict }>
  | Readonly<{ kind: 'interrupted' }>
  | Readonly<{ kind: 'no-cryptography' }>;

export type ProofMessage = Readonly<{ progress: FileProgress }> | Readonly<{ result: ProofResult }>;
