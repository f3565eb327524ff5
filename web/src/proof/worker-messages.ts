import type { FileProgress, FileVerdict } from './file-check/export-check';
import type { SentFetch } from './sent-fetch';

/**
 * The request to the worker: the address of the export, and the address of the events, which the worker reads if the
 * export fails.
 */
export type ProofRequest = Readonly<{
  exportUrl: string;
  eventsUrl: string;
  /** Whether the worker keeps the bytes of the export, so that the person can save the file. */
  keeps: boolean;
}>;

/** A refusal of the service, with the fields of the problem document. */
export type ExportRefusal = Readonly<{
  status: number;
  reason: string;
  request: string;
  retryAfter: number | null;
  /** Only for a broken chain: the revision of the break, and its reason. */
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

/** `sent` is a request of the worker, which the page lists with its own requests. */
export type ProofMessage =
  Readonly<{ progress: FileProgress }> | Readonly<{ sent: SentFetch }> | Readonly<{ result: ProofResult }>;
