import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request for a route of the fast path. */
export type FastCall = Readonly<{
  request: IncomingMessage;
  response: ServerResponse;
  /** The parameters of the URL, in the order of the groups in the route's `address`. */
  params: readonly string[];
  /** Reports the answer to the metrics; must be called once, and only if the fast path answers. */
  done: () => void;
}>;

/**
 * A route that the fast path answers before the request reaches Nest. Nest has a route with the same method and URL.
 */
export type FastRoute = Readonly<{
  method: 'GET' | 'POST';
  /** The name of the route in the metrics, equal to the name of Nest's route there. */
  name: string;
  /** Matches the URL with its query. If the URL names an organization, the first group is the organization's id. */
  address: RegExp;
  /** Answers the request; returns false, and does nothing, if Nest must answer. */
  answer: (call: FastCall) => boolean;
}>;

export type LogVersion = Readonly<{
  /** The version of the log in this tick; undefined if the log has no versions, or cannot be read. */
  logVersion: () => number | undefined;
}>;

/** An answer as text, with the values of its headers. Without `tag`, the answer has no ETag. */
export type FastAnswer = Readonly<{ body: string; length: string; tag?: string | undefined }>;

export const printedAnswer = (body: object, tag?: string): FastAnswer => {
  const text = JSON.stringify(body);
  return { body: text, length: String(Buffer.byteLength(text)), tag };
};
