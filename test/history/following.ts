import { request } from 'node:http';

/** Somebody who listens to the change feed, as a browser's EventSource would. */
export type Follower = Readonly<{
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** What came so far, of each event its id and its data. */
  heard: () => readonly ReceivedChange[];
  text: () => string;
  /** Whether the other side has ended it, and in good order. */
  ended: () => 'ended' | 'cut' | undefined;
  leave: () => void;
  pause: () => void;
  resume: () => void;
}>;
type ReceivedChange = Readonly<{
  id: string;
  data: Readonly<{ stream: string; revision: number; type: string }>;
}>;

export function following(
  url: string,
  { key, headers = {} }: Readonly<{ key?: string; headers?: Readonly<Record<string, string>> }>,
): Promise<Follower> {
  return new Promise((resolve, reject) => {
    const sent = { Accept: 'text/event-stream', ...(key && { Authorization: `Bearer ${key}` }), ...headers };
    const asked = request(url, { headers: sent }, (response) => {
      let [text, ended]: [string, 'ended' | 'cut' | undefined] = ['', undefined];
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => (ended ??= 'ended'));
      response.on('error', () => (ended ??= 'cut'));
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        heard: () =>
          [...text.matchAll(/^id: (.+)\ndata: (.+)\n\n/gm)].map(([, id, data]) => ({
            id: id!,
            data: JSON.parse(data!) as ReceivedChange['data'],
          })),
        ended: () => ended,
        leave: () => asked.destroy(),
        pause: () => void response.pause(),
        resume: () => void response.resume(),
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
