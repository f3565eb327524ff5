import type { ServerResponse } from 'node:http';
import { eventStreamHeaders, HEARTBEAT, HEARTBEAT_MS, STREAM_BEGINNING } from '../../http/server-sent-events';
import type { Lifecycle } from '../../process/parts/lifecycle';

/** An answer of server-sent events that stays open. */
export type OpenStream = Readonly<{
  /** Sends text. Ends the stream if the client has not read the earlier text. */
  send: (text: string) => void;
  /** Whether the caller still has the permission. Ends the stream if not. */
  isAllowed: () => Promise<boolean>;
  end: () => void;
  /** Resolves when the stream has ended. */
  ended: Promise<void>;
}>;

/** All open streams of the process. One timer serves all of them. */
export type OpenStreams = Readonly<{
  count: () => number;
  /**
   * Sends the head of the answer. The stream ends when the client disconnects or the process stops.
   * @param renew checks the permission of the caller again; throws if the caller has lost it
   */
  open: (response: ServerResponse, renew: () => Promise<unknown>) => OpenStream;
}>;

/** The interval, in milliseconds, at which the timer checks the streams. */
const TICK_MS = 250;
/** The interval, in milliseconds, at which the permission of a silent stream is checked. */
const RENEW_MS = 5_000;
/** The age, in milliseconds, up to which a check of the permission is valid for a notice. */
const RENEWED_MS = 500;
/** The number of milliseconds in which a client must read the end of its stream. After it, the connection closes. */
const END_READ_MS = 5_000;
/** The maximum number of unread bytes of a stream. A client that reads too slowly reconnects with its cursor. */
const UNREAD_MAX = 64 * 1024;

type Entry = OpenStream & { spoke: number; renewed: number; closeIfEnded: (now: number) => void };

export function createOpenStreams({ stopping }: Lifecycle): OpenStreams {
  const streams = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  const serve = () => {
    if (stopping()) for (const stream of streams) stream.end();
    const now = performance.now();
    for (const stream of streams) {
      if (now - stream.spoke >= HEARTBEAT_MS) stream.send(HEARTBEAT);
      if (now - stream.renewed >= RENEW_MS) void stream.isAllowed();
      stream.closeIfEnded(now);
    }
  };
  const add = (stream: Entry) => {
    streams.add(stream);
    timer ??= setInterval(serve, TICK_MS).unref();
  };
  const remove = (stream: Entry) => {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    count: () => streams.size,
    open: (response, renew) => {
      let endedAt: number | undefined;
      /** The result of the newest check of the permission, which may still be running. */
      let allowed = Promise.resolve(true);
      const end = () => {
        endedAt ??= performance.now();
        response.end();
      };
      const stream: Entry = {
        spoke: performance.now(),
        renewed: performance.now(),
        send: (text) => {
          if (response.destroyed || response.writableEnded) return;
          stream.spoke = performance.now();
          if (response.writableLength > UNREAD_MAX) response.destroy();
          else response.write(text);
        },
        isAllowed: () => {
          if (performance.now() - stream.renewed < RENEWED_MS) return allowed;
          stream.renewed = performance.now();
          allowed = renew().then(
            () => true,
            () => {
              end(); // the answer to the client's next request gives the reason
              return false;
            },
          );
          return allowed;
        },
        end,
        closeIfEnded: (now) => {
          if (endedAt !== undefined && now - endedAt >= END_READ_MS) response.destroy();
        },
        // After a disconnection there is no second `close`.
        ended: response.closed ? Promise.resolve() : new Promise((resolve) => response.once('close', () => resolve())),
      };
      add(stream);
      void stream.ended.then(() => remove(stream));
      response.writeHead(200, eventStreamHeaders);
      stream.send(STREAM_BEGINNING);
      return stream;
    },
  };
}
