import type { RequestWithContext } from './request-context';

const EVENT_STREAM = 'text/event-stream';

/** The headers of an answer of server-sent events. */
export const eventStreamHeaders = { 'Content-Type': `${EVENT_STREAM}; charset=utf-8`, 'X-Accel-Buffering': 'no' };

/** The first text of each stream: a disconnected client reconnects after 2 s. */
export const STREAM_BEGINNING = 'retry: 2000\n\n';

/** The comment that a stream without events sends at intervals. */
export const HEARTBEAT = ': still here\n\n';
/** The milliseconds between two of these comments. Without the comments, proxies cut the connection after a minute. */
export const HEARTBEAT_MS = 15_000;

/** Whether the client prefers server-sent events to the other media types that the route offers. */
export const prefersEventStream = (request: RequestWithContext, others: readonly string[]): boolean =>
  request.method !== 'HEAD' && request.accepts([...others, EVENT_STREAM]) === EVENT_STREAM;
