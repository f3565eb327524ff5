import { browserEd25519, NoCryptography } from './file-check/ed25519';
import { checkFile, type FileProgress, type FileVerdict } from './file-check/export-check';
import { type SentFetch, sendFetch } from './sent-fetch';
import type { ExportRefusal, ProofMessage, ProofRequest, ProofResult } from './worker-messages';

// The worker of the proof page. The worker fetches the export once and checks each line, so that the page stays
// responsive.

/** Milliseconds between two messages about the progress. */
const PROGRESS_MS = 100;

const send = (message: ProofMessage) => postMessage(message);
const reportSent = (sent: SentFetch) => send({ sent });
const asLines = { headers: { Accept: 'application/x-ndjson' } };

addEventListener('message', ({ data }: MessageEvent<ProofRequest>) => {
  void proof(data)
    .catch((error: unknown): ProofResult => ({
      kind: error instanceof NoCryptography ? 'no-cryptography' : 'interrupted',
    }))
    .then((result) => send({ result }));
});

async function proof({ exportUrl, eventsUrl, keeps, ...expected }: ProofRequest): Promise<ProofResult> {
  const answer = await sendFetch(exportUrl, asLines, reportSent);
  if (!answer.ok) {
    const refusal = await refusalOf(answer);
    if (refusal.reason !== 'broken-chain') return { kind: 'refused', refusal };
    return { kind: 'refused', refusal, verdict: await checkedEvents(eventsUrl, expected.stream) };
  }
  const kept: Uint8Array<ArrayBuffer>[] = [];
  try {
    const verdict = await checked(
      answer,
      { form: 'export', ...expected },
      keeps ? (piece) => kept.push(piece) : undefined,
    );
    return { kind: 'checked', verdict, ...(keeps && { file: new Blob(kept, { type: 'application/x-ndjson' }) }) };
  } catch (error) {
    if (error instanceof NoCryptography) throw error;
    // The service ends an export early if the hash chain is broken. A check of the events themselves shows whether this
    // is the cause.
    const verdict = await checkedEvents(eventsUrl, expected.stream);
    return verdict.ok ? { kind: 'interrupted' } : { kind: 'checked', verdict };
  }
}

/** Checks the events without the export. Events that are missing at the end are no flaw. */
async function checkedEvents(url: string, stream: string): Promise<FileVerdict> {
  const answer = await sendFetch(url, asLines, reportSent);
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return checked(answer, { form: 'events', stream });
}

function checked(
  { body }: Response,
  options: Readonly<{ form: 'export' | 'events'; stream: string; eventsMin?: number | undefined }>,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => void = () => undefined,
): Promise<FileVerdict> {
  return checkFile(piecesOf(body!, onPiece), { verifies: browserEd25519, onProgress: throttled(), ...options });
}

async function* piecesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => void,
) {
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      onPiece(piece.value);
      yield piece.value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Sends the first message about the progress at once, and later messages at intervals. */
function throttled() {
  let sent = -Infinity;
  return (progress: FileProgress) => {
    const now = performance.now();
    if (now - sent < PROGRESS_MS) return;
    sent = now;
    send({ progress });
  };
}

async function refusalOf(answer: Response): Promise<ExportRefusal> {
  const problem = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const word = (value: unknown) => (typeof value === 'string' ? value : '');
  const seconds = Number(answer.headers.get('Retry-After'));
  return {
    status: answer.status,
    reason: word(problem['type']).split('/').at(-1) ?? '',
    request: word(problem['instance']),
    retryAfter: seconds > 0 ? Math.ceil(seconds) : null,
    at: typeof problem['at'] === 'number' ? problem['at'] : null,
    why: word(problem['why']),
  };
}
