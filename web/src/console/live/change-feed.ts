import { requestLog } from '../requests/request-log';
import { serverSentEvents } from './server-sent-events';

/** The state of a feed: before its first answer, while it delivers events, and after its connection broke. */
export type FeedState = 'connecting' | 'live' | 'reconnecting';
/** The reason why a feed does not connect again. */
export type FeedEnd = 'restored' | 'refused' | 'signed-out';
/** The last event that a feed has delivered. A new connection resumes after the cursor of this event. */
export type FeedPosition = Readonly<{ revision: number; cursor: string }>;

type FeedOf = Readonly<{
  /** The URL of an organization's events. */
  url: string;
  /**
   * The revision of the newest event that the page knows. The first connection begins with this event, because the page
   * has no cursor yet.
   */
  from: number;
  cursor: string | undefined;
  signal: AbortSignal;
  onState: (state: FeedState) => void;
  onEvent: (position: FeedPosition) => void;
}>;

const RETRY_MS = 2_000;
const RETRY_MAX_MS = 30_000;
/**
 * The service sends a comment every 15 seconds. If no byte arrives within this time in milliseconds, the connection is
 * broken.
 */
const SILENCE_MS = 40_000;

/**
 * Reads the change feed of an organization until the signal aborts, or until the service refuses the feed. After a
 * broken connection, connects again with growing pauses.
 * @throws the reason of the signal
 */
export async function followChanges({ url, from, cursor, signal, onState, onEvent }: FeedOf): Promise<FeedEnd> {
  let last = cursor;
  let pause = RETRY_MS;
  const address = `${url}?from=${from}`;

  /**
   * Reads one connection to its end. Returns why the service refuses the feed, or the pause in milliseconds that it
   * asks for.
   */
  const read = async (): Promise<FeedEnd | number> => {
    const connection = new AbortController();
    const abort = () => connection.abort();
    let silence = setTimeout(abort, SILENCE_MS);
    signal.addEventListener('abort', abort);
    try {
      const began = performance.now();
      const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) };
      const answer = await fetch(address, { headers, signal: connection.signal, cache: 'no-store' });
      logRequest(address, answer, performance.now() - began);
      if (!answer.ok || !isEventStream(answer) || !answer.body) return refusalOf(answer);
      onState('live');
      for await (const { id, data, retry = RETRY_MS } of serverSentEvents(answer.body)) {
        clearTimeout(silence);
        silence = setTimeout(abort, SILENCE_MS);
        pause = retry;
        if (id !== undefined) last = id;
        const revision = data === undefined ? undefined : (JSON.parse(data) as { revision: number }).revision;
        if (revision !== undefined && last !== undefined) onEvent({ revision, cursor: last });
      }
      return 0;
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
      connection.abort();
    }
  };

  for (;;) {
    signal.throwIfAborted();
    const end = await read().catch(() => 0);
    signal.throwIfAborted();
    if (typeof end === 'string') return end;
    onState('reconnecting');
    await wait(Math.max(end, pause * (0.75 + Math.random() / 2)), signal);
    pause = Math.min(pause * 2, RETRY_MAX_MS);
  }
}

const logRequest = (address: string, { status, headers }: Response, milliseconds: number): void =>
  requestLog.add({
    ...{ method: 'GET', address, fields: [], status, milliseconds: Math.round(milliseconds) },
    request: headers.get('request-id') ?? '',
  });

const isEventStream = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream') === true;

/** The reason for which the service refuses the feed, or the pause in milliseconds before the next attempt. */
function refusalOf(answer: Response): FeedEnd | number {
  const { status, headers } = answer;
  if (status === 401) return 'signed-out';
  if (status === 409) return 'restored';
  if (status === 429 || status >= 500) return Number(headers.get('retry-after') ?? 0) * 1_000;
  return 'refused';
}

/** Waits for some milliseconds. @throws the reason of the signal */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
