import { request } from 'node:http';

/** A client of the change feed, like a browser's EventSource. */
export type Follower = Readonly<{
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** The id and the data of each event received so far. */
  received: () => readonly ReceivedChange[];
  text: () => string;
  /**
   * `ended` if the server has ended the response completely, `cut` if the connection broke; undefined while the
   * response continues.
   */
  ended: () => 'ended' | 'cut' | undefined;
  leave: () => void;
  pause: () => void;
  resume: () => void;
}>;
export type ReceivedChange = Readonly<{
  id: string;
  data: Readonly<{
    id: string;
    type: string;
    stream: string;
    revision: number;
    position: string;
    data: unknown;
    metadata: unknown;
  }>;
}>;

export function following(
  url: string,
  { key, headers = {} }: Readonly<{ key?: string; headers?: Readonly<Record<string, string>> }>,
): Promise<Follower> {
  return new Promise((resolve, reject) => {
    const sent = { Accept: 'text/event-stream', ...(key && { Authorization: `Bearer ${key}` }), ...headers };
    const outgoing = request(url, { headers: sent }, (response) => {
      let [text, ended]: [string, 'ended' | 'cut' | undefined] = ['', undefined];
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => (ended ??= 'ended'));
      response.on('error', () => (ended ??= 'cut'));
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        received: () =>
          [...text.matchAll(/^id: (.+)\ndata: (.+)\n\n/gm)].map(([, id, data]) => ({
            id: id!,
            data: JSON.parse(data!) as ReceivedChange['data'],
          })),
        ended: () => ended,
        leave: () => outgoing.destroy(),
        pause: () => void response.pause(),
        resume: () => void response.resume(),
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
