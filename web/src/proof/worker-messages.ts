import type { FileProgress, FileVerdict } from './file-check/export-check';
import type { SentFetch } from './sent-fetch';

/**
 * The message that starts the worker: the URL of the export, and the URL of the events, which the worker reads if the
 * export fails.
 */
export type ProofRequest = Readonly<{
  exportUrl: string;
  eventsUrl: string;
  /** The stream of the organization. */
  stream: string;
  /** The number of events that the page shows; undefined if the page does not know it. */
  eventsMin: number | undefined;
  /** Whether the worker keeps the bytes of the export, so that the person can save the file. */
  keeps: boolean;
}>;

/** A refusal of the service, with the fields of the problem document. */
export type ExportRefusal = Readonly<{
  status: number;
  reason: string;
  request: string;
  retryAfter: number | null;
  /** Only if the hash chain is broken: the revision of the first wrong event, and what is wrong. */
  at: number | null;
  why: string;
}>;

/** How the check in the browser ended. */
export type ProofResult =
  | Readonly<{ kind: 'checked'; verdict: FileVerdict; file?: Blob }>
  /** The service refused the export. `verdict` is the result of the browser's check of the events themselves. */
  | Readonly<{ kind: 'refused'; refusal: ExportRefusal; verdict?: FileVerdict }>
  | Readonly<{ kind: 'interrupted' }>
  | Readonly<{ kind: 'no-cryptography' }>;

/**
 * A message from the worker to the page. `sent` is a request that the worker has sent, which the page adds to its list
 * of requests.
 */
export type ProofMessage =
  Readonly<{ progress: FileProgress }> | Readonly<{ sent: SentFetch }> | Readonly<{ result: ProofResult }>;
