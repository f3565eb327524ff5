import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

/** The parts of a request. A `body` that is neither text nor bytes is sent as JSON. */
export type Sent = Readonly<{
  key?: string | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string | readonly string[]>>;
}>;
export type Answer = Readonly<{
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The text parsed as JSON; undefined when it is not JSON. */
  body: ReturnType<typeof JSON.parse>;
}>;

/** Sends one request. Path and headers are sent unchanged. */
export function send(url: string, method: string, { key, body, headers = {} }: Sent, agent?: Agent): Promise<Answer> {
  const bytes = bytesOf(body);
  const { hostname, port, origin } = new URL(url);
  const sent = {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
    ...(headers as Record<string, string | string[]>), // the cast is safe, because Node does not change the object
  };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: url.slice(origin.length), method, headers: sent, agent };
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve(answered(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
      );
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

const bytesOf = (body: unknown): Buffer | undefined => {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

function answered(status: number, headers: IncomingHttpHeaders, text: string): Answer {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status, headers, text, body };
}

/**
 * Sends exactly these bytes on a socket, because a client library would refuse to send some of them. Resolves with the
 * received bytes when the answer is complete, when the connection closes, or after three seconds without data.
 */
export function sendRaw(url: string, ...pieces: readonly (string | Buffer)[]): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(parsed(text));
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (isComplete(text)) done();
    });
    socket.on('close', done);
    socket.on('error', done);
    socket.setTimeout(3_000, done);
    for (const piece of pieces) socket.write(piece);
  });
}

const isComplete = (text: string) => {
  const end = text.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return end >= 0 && length !== undefined && Buffer.byteLength(text.slice(end + 4)) >= Number(length);
};

function parsed(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
  return answered(Number(first.split(' ')[1] ?? 0), headers, rest.join('\r\n\r\n'));
}
