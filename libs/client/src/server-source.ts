import { createParser } from 'eventsource-parser';
import type { ChangeNotice, ConnectionSource, StreamEvents } from './connection.js';
import { isCharterProblem, UnexpectedAnswer } from './errors.js';
import { sendOnce, sendRepeatedly, type Server, textsOf, readWholeAnswer } from './requests/send.js';
import type { Entitlements } from './types.js';
import type { ValueSource } from './values.js';

/** Values and notices for a program with an API key: one stream for all organizations. */
export function serverSource(server: Server): ConnectionSource {
  let cursor: string | undefined;

  async function follow(on: StreamEvents, signal: AbortSignal): Promise<void> {
    const resumes = cursor !== undefined;
    const headers = { ...(cursor !== undefined && { 'Last-Event-ID': cursor }) };
    const path = '/api/v1/entitlement-changes';
    try {
      const answer = await openStream(server, { path, headers, signal });
      on.opened(resumes);
      await readEvents(answer, on, ({ id, event, data }) => {
        if (signal.aborted) return; // the client ignores the notices of a stream that it has given up
        if (event === 'change') on.notice(JSON.parse(data) as ChangeNotice);
        cursor = id ?? cursor;
      });
    } catch (error) {
      // The service was restored, or another log replaced its log: a fresh stream begins without a cursor.
      if (isCharterProblem(error) && error.status < 500 && error.status !== 429) cursor = undefined;
      throw error;
    }
  }

  return {
    follow,
    fetch: async (store, atLeast, signal) => {
      const query = atLeast < 0 ? '' : `?atLeast=${atLeast}`;
      const path = `/api/v1/organizations/${encodeURIComponent(store.id)}/entitlements${query}`;
      const headers = { ...(store.etag !== undefined && { 'If-None-Match': store.etag }) };
      const { status, body, etag } = await sendRepeatedly(server, { path, headers, signal }, readWholeAnswer);
      if (status === 304 && store.values) return 'same';
      return { etag, source: checkedEntitlements(store.id, body, status) };
    },
  };
}

/** @throws UnexpectedAnswer if the answer is no stream of events */
export async function openStream(
  server: Server,
  {
    path,
    headers,
    signal,
  }: Readonly<{ path: string; headers?: Readonly<Record<string, string>>; signal: AbortSignal }>,
): Promise<Response> {
  const answer = await sendOnce(server, { path, headers: { Accept: 'text/event-stream', ...headers }, signal });
  if (/^text\/event-stream\b/.test(answer.headers.get('Content-Type') ?? '')) return answer;
  await answer.body?.cancel();
  throw new UnexpectedAnswer(answer.status, 'is no stream of events');
}

type ServerEvent = Readonly<{ id?: string | undefined; event?: string | undefined; data: string }>;

/** Reads events until the stream ends. Each chunk shows that the stream is alive. */
export async function readEvents(answer: Response, on: StreamEvents, received: (event: ServerEvent) => void) {
  const parser = createParser({ onEvent: received });
  for await (const text of textsOf(answer)) {
    on.alive();
    parser.feed(text);
  }
}

/** @throws UnexpectedAnswer if this is not the entitlements of the organization */
function checkedEntitlements(organization: string, body: unknown, status: number): ValueSource {
  const { revision, features, limits, ...more } = (body ?? {}) as Partial<Entitlements>;
  const isWhole =
    more.organization === organization &&
    Number.isInteger(revision) &&
    areAll(features, ({ on, because }) => typeof on === 'boolean' && Array.isArray(because)) &&
    areAll(limits, ({ unlimited, because }) => typeof unlimited === 'boolean' && Array.isArray(because));
  if (!isWhole) throw new UnexpectedAnswer(status, 'has no entitlements of the organization');
  return body as ValueSource;
}

const areAll = (values: object | undefined, isRight: (value: Readonly<Record<string, unknown>>) => boolean): boolean =>
  typeof values === 'object' &&
  Object.values(values).length > 0 &&
  Object.values(values).every((value: unknown) => !!value && isRight(value as Readonly<Record<string, unknown>>));
