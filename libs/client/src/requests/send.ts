import { CharterProblem, type CharterProblemReason, type ProblemWith, UnexpectedAnswer } from '../errors.js';
import { pause } from './pause.js';
import type { Problem } from '../types.js';

/** The server and the credentials of a client. */
export type Server = Readonly<{
  url: string;
  /** The value of the header `Authorization`. */
  authorization: () => string | Promise<string>;
  fetch: typeof fetch;
}>;

export type HttpRequest = Readonly<{
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}>;

/**
 * Sends one request. Resolves with an answer whose status is 2xx or 304.
 *
 * @throws CharterProblem, UnexpectedAnswer, or the error of `fetch`
 */
export async function sendOnce(server: Server, request: HttpRequest): Promise<Response> {
  const { method = 'GET', path, headers, body, signal = null } = request;
  const answer = await server.fetch(server.url + path, {
    method,
    headers: {
      Authorization: await server.authorization(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    redirect: 'error',
  });
  if (answer.ok || answer.status === 304) return answer;
  throw await problemIn(answer);
}

/** An answer whose whole body has arrived. The body is parsed if it is JSON. */
export type WholeAnswer = Readonly<{ status: number; body: unknown; etag: string | undefined }>;

/**
 * @throws UnexpectedAnswer if the body is a page of a proxy, or should be JSON and is not; or the error of `fetch` if
 *   the body breaks off
 */
export async function readWholeAnswer(answer: Response): Promise<WholeAnswer> {
  const { status, headers } = answer;
  const type = headers.get('Content-Type') ?? '';
  const isJson = status !== 304 && /\bjson\b/.test(type);
  const body = isJson ? await jsonOf(answer) : await answer.text(); // a body that is not read would hold the connection
  if (/^text\/html\b/.test(type)) throw new UnexpectedAnswer(status, 'is not an answer of Charter');
  return { status, body, etag: headers.get('ETag') ?? undefined };
}

async function jsonOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnexpectedAnswer(answer.status, 'is not JSON');
  }
}

async function problemIn(answer: Response): Promise<Error> {
  const after = retryAfterOf(answer);
  const problem = (await jsonOf(answer).catch(() => null)) as (Partial<Problem> & { errorDetails?: string }) | null;
  const [, reason] = /^\/problems\/([\w-]+)$/.exec(String(problem?.type)) ?? [];
  // A failure of OFREP has no `status`, and has `errorDetails` instead of `detail`.
  const whole = { ...problem, detail: problem?.detail ?? problem?.errorDetails, status: answer.status };
  return reason === undefined
    ? new UnexpectedAnswer(answer.status, 'is not an answer of Charter', after)
    : new CharterProblem(reason as CharterProblemReason, whole as ProblemWith<CharterProblemReason>, after);
}

/** The header `Retry-After` in milliseconds. The header contains seconds or a date. */
function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('Retry-After');
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

const MOST_ATTEMPTS = 4;
const LONGEST_WAIT = 30_000;

/**
 * Sends a request that Charter may receive several times, and reads its answer. Repeats both after a transient failure:
 * a connection can also break within the answer.
 */
export async function sendRepeatedly<Result>(
  server: Server,
  request: HttpRequest,
  read: (answer: Response) => Result | Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read(await sendOnce(server, request));
    } catch (error) {
      const wait = waitAfter(error, attempt);
      if (attempt === MOST_ATTEMPTS || wait === undefined || request.signal?.aborted) throw error;
      await pause(wait, request.signal);
    }
  }
}

/** The milliseconds before the next attempt; undefined if the same request would fail again. */
function waitAfter(error: unknown, attempt: number): number | undefined {
  const backoff = 100 * 2 ** attempt * (0.5 + Math.random());
  if (!(error instanceof CharterProblem || error instanceof UnexpectedAnswer)) return backoff;
  // An answer with 2xx comes here only if its JSON is incomplete, or if it is a page of a proxy.
  if (error.status >= 300 && error.status !== 429 && error.status < 502) return undefined;
  const wait = error.retryAfter ?? backoff;
  return wait > LONGEST_WAIT ? undefined : wait;
}

/** The body as texts, as the chunks arrive. Cancels the answer if the caller stops early. */
export async function* textsOf(answer: Response): AsyncGenerator<string, void> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  const read = async () => (await reader?.read()) as Readonly<{ done: boolean; value?: Uint8Array }> | undefined;
  try {
    for (let part = await read(); part && !part.done; part = await read())
      yield decoder.decode(part.value, { stream: true });
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
