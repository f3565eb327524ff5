import { UnexpectedAnswer } from '../errors.js';
import { sendOnce, sendRepeatedly, type Server, textsOf, readWholeAnswer } from './send.js';
import type { Operations } from '../types.js';

/** The method and the path of an operation, such as `PUT /api/v1/organizations/{id}/plan`. */
export type OperationName = keyof Operations;

type Data<Name extends OperationName> = Operations[Name]['data'];
type Part<Of, Key extends string> = Key extends keyof Of
  ? Of[Key] extends undefined
    ? unknown
    : Pick<Of, Key>
  : unknown;

/** The path parameters, the query and the body of an operation, and the headers that all operations share. */
export type CallOptions<Name extends OperationName> = Part<Data<Name>, 'path'> &
  Part<Data<Name>, 'query'> &
  Part<Data<Name>, 'body'> &
  Readonly<{
    /** The expected revision, or the ETag of an earlier answer. Charter answers 412 if the revision is newer. */
    ifMatch?: number | string;
    /** By default each write has a new key. A repeated request has the same key. */
    idempotencyKey?: string;
    signal?: AbortSignal;
  }>;

/** The body of a successful answer. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answers'][keyof Operations[Name]['answers']];

export type CallAnswer<Body> = Readonly<{ status: number; body: Body; etag: string | undefined }>;

/** The names of operations whose answers have a cursor to the next page. */
export type PagedName = {
  [Name in OperationName]: AnswerOf<Name> extends { next: string | null } ? Name : never;
}[OperationName];

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;
type AnyOptions = Readonly<{
  path?: Fields;
  query?: Fields;
  body?: unknown;
  ifMatch?: number | string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}>;

/** Requests to any operation of the HTTP interface, typed by the OpenAPI document. */
export type Calls = Readonly<{
  /** Sends a request, and repeats it if that is safe. @throws CharterProblem, UnexpectedAnswer */
  call: <Name extends OperationName>(name: Name, options: CallOptions<Name>) => Promise<CallAnswer<AnswerOf<Name>>>;
  /** The pages of a list, one after the other. */
  pages: <Name extends PagedName>(name: Name, options: CallOptions<Name>) => AsyncGenerator<AnswerOf<Name>, void>;
  /** The lines of an answer in NDJSON, parsed one after the other. */
  lines: <Line = unknown, Name extends OperationName = OperationName>(
    name: Name,
    options: CallOptions<Name>,
  ) => AsyncGenerator<Line, void>;
}>;

export function callsTo(server: Server): Calls {
  const send = async <Result>(
    name: string,
    options: AnyOptions,
    accept: string,
    read: (answer: Response) => Result | Promise<Result>,
  ) => {
    const [method = '', template = ''] = name.split(' ');
    const { path = {}, query = {}, body, ifMatch, idempotencyKey = crypto.randomUUID(), signal } = options;
    const filled = template.replace(/\{(\w+)\}/g, (_, key: string) => segmentOf(key, path[key]));
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
    const isWrite = method !== 'GET';
    const request = {
      ...{ method, path: search.size > 0 ? `${filled}?${search.toString()}` : filled, signal },
      headers: {
        Accept: accept,
        ...(isWrite && { 'Idempotency-Key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'If-Match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
      },
      ...(isWrite && method !== 'DELETE' && { body: body ?? {} }),
    };
    if (!isWrite || repeatable.test(filled)) return sendRepeatedly(server, request, read);
    return read(await sendOnce(server, request));
  };

  const call = (name: string, options: AnyOptions) => send(name, options, 'application/json', readWholeAnswer);

  async function* pages(name: string, options: AnyOptions) {
    let cursor: string | null | undefined;
    do {
      const place = cursor && { cursor };
      const { query, body } = options;
      const more = name.startsWith('GET')
        ? { query: { ...query, ...place } }
        : { body: { ...(body as object), ...place } };
      const page = (await call(name, { ...options, ...more })).body as Readonly<{ next: string | null }>;
      yield page;
      cursor = page.next;
    } while (cursor);
  }

  async function* lines(name: string, options: AnyOptions) {
    const answer = await send(name, options, 'application/x-ndjson', (begun) => begun);
    let rest = '';
    for await (const text of textsOf(answer)) {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) if (part) yield JSON.parse(part) as unknown;
    }
    if (rest) throw new UnexpectedAnswer(answer.status, 'ends within a line');
  }

  return { call, pages, lines } as unknown as Calls;
}

/**
 * Encodes a path parameter for a URL.
 * @throws TypeError for `.`, `..` and an empty text: the URL would have another path
 */
function segmentOf(key: string, value: Fields[string]): string {
  const text = String(value ?? '');
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`The path parameter ${key} must not be "${text}".`);
  return encodeURIComponent(text);
}

/** The paths at which Charter executes a write with a repeated `Idempotency-Key` only once. */
const repeatable = /^\/api\/v1\/(organizations|billing\/events)\b/;
