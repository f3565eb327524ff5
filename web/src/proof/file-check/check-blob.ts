import { browserEd25519 } from './ed25519';
import { checkFile, type FileProgress, type FileVerdict } from './export-check';

/**
 * The number of bytes that the check reads at a time. With this size the page reacts to input within a few
 * milliseconds.
 */
const SLICE_BYTES = 256 * 1024;

/** Thrown when the person stops the check. */
export class CheckStopped extends Error {}

/**
 * Checks a file on this device slice by slice, without a request and without a worker.
 * @throws CheckStopped; NoCryptography; the error of a file that the browser cannot read
 */
export function checkBlob(
  file: Blob,
  signal: AbortSignal,
  onProgress: (progress: FileProgress) => void,
): Promise<FileVerdict> {
  return checkFile(slicesOf(file, signal), { verifies: browserEd25519, onProgress });
}

async function* slicesOf(file: Blob, signal: AbortSignal) {
  for (let from = 0; from < file.size; from += SLICE_BYTES) {
    const slice = new Uint8Array(await file.slice(from, from + SLICE_BYTES).arrayBuffer());
    if (signal.aborted) throw new CheckStopped();
    yield slice;
  }
}
