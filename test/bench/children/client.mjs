// A small HTTP/1.1 client with persistent connections and one request at a time on each. This client must use less
// processor time than the service.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

process.on('message', async (wish) => process.send(await load(wish)));
process.on('disconnect', () => process.exit(0));

async function load({ port, callers, warm, seconds, rate, method, paths, headers, body }) {
  const request = requestsFor({ method, paths, headers: { Host: `127.0.0.1:${port}`, ...headers }, body });
  const counted = { statuses: {}, latencies: [], refusals: {} };
  const from = performance.now() + warm * 1000;
  const until = from + seconds * 1000;
  const interval = rate === undefined ? 0 : (callers * 1000) / rate;
  const count = (status, sent, now, received) => {
    counted.statuses[status] = (counted.statuses[status] ?? 0) + 1;
    if (status >= '400') counted.refusals[status] ??= received.slice(received.indexOf('\r\n\r\n') + 4);
    if (now >= from && now < until) counted.latencies.push(now - sent);
  };
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      await pause((interval * caller) / callers); // callers with a rate start at different times
      await call({ port, request, until, interval, count });
    }),
  );
  const sorted = Float64Array.from(counted.latencies).sort();
  const { length } = sorted;
  return {
    rate: length / seconds,
    all: Object.values(counted.statuses).reduce((sum, each) => sum + each, 0),
    statuses: counted.statuses,
    refusals: counted.refusals,
    p50: sorted[length >> 1],
    p99: sorted[Math.floor(length * 0.99)],
  };
}

/** Sends requests on one connection until the moment `until`. */
function call({ port, request, until, interval, count }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sent = 0;
    let next = performance.now();
    let received = '';
    const send = () => {
      sent = performance.now();
      socket.write(request(), 'latin1');
    };
    const go = () => {
      const now = performance.now();
      if (now >= until) return void socket.end();
      next += interval;
      if (interval > 0 && next > now) setTimeout(send, next - now);
      else send();
    };
    socket.setEncoding('latin1');
    socket.on('connect', go);
    socket.on('data', (chunk) => {
      received = received === '' ? chunk : received + chunk;
      if (!isWhole(received)) return;
      count(received.slice(9, 12), sent, performance.now(), received);
      received = '';
      go();
    });
    socket.on('error', reject);
    socket.on('close', resolve);
  });
}

/** Whether the text is a complete answer. The benches use only routes whose answers contain their length. */
function isWhole(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return false;
  if (text.startsWith('304', 9) || text.startsWith('204', 9)) return true;
  const length = /\r\ncontent-length: (\d+)/i.exec(text);
  if (!length) throw new Error(`An answer does not say how long it is: ${text.slice(0, head)}`);
  return text.length >= head + 4 + Number(length[1]);
}

/** Makes a function that returns the bytes of the next request. The requests use paths and bodies in rotation. */
function requestsFor({ method, paths, headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const heads = paths.map((path) => `${method} ${path} HTTP/1.1\r\n${lines.join('')}`);
  const next = inTurn(heads);
  if (body === undefined) return () => `${next()}\r\n`;
  const nextBody = body === 'member' ? member : inTurn(body);
  return () => {
    const text = nextBody();
    return `${next()}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  };
}

function inTurn(all) {
  let turn = 0;
  return () => all[(turn = (turn + 1) % all.length)];
}

const member = () => `{"user":"${randomUUID()}","role":"member"}`;
