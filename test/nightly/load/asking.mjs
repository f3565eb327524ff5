// This worker adds and removes members. The worker runs in a separate thread without a client library. So it uses
// less processor time than the measured service. With `rate`, the worker sends this number of requests a second
// without waiting for answers. With `callers`, each caller sends its next request after the answer to its previous
// one. A duration begins at the planned moment of the request.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

/** The number of members that each organization keeps. The load removes the oldest members beyond this number. */
const PRESENT_EACH = 5;
const CONNECTIONS_MAX = 4_000;
const TICK_MS = 2;
/** The maximum time in milliseconds to wait for the last answers. */
const LAST_ANSWER_MS = 10_000;

parentPort.on('message', async (wish) => parentPort.postMessage(await load(wish)));

async function load({ urls, key, places, seconds, rate, callers, standing = 0 }) {
  const next = requestsOn(places);
  const requests = [];
  const idle = [];
  const connections = new Set();
  const underWay = new Set();
  let turn = 0;
  let unsent = 0;

  const connection = () => {
    const made = connected(new URL(urls[(turn += 1) % urls.length]));
    connections.add(made);
    return made;
  };
  const ask = async (on, due) => {
    const { wish, done } = next();
    const answer = await on.ask(textOf(wish, on.host, key));
    requests.push({ ...wish, ...answer, due, took: performance.now() - due });
    done(answer.status);
    if (!on.isOpen()) connections.delete(on);
  };
  const pool = Array.from({ length: standing }, connection);
  await Promise.all(pool.map(({ isThere }) => isThere));
  idle.push(...pool);

  const began = performance.now();
  const until = began + seconds * 1_000;

  const call = async () => {
    for (let on = connection(); performance.now() < until; on = on.isOpen() ? on : connection())
      await ask(on, performance.now());
  };
  const arrive = (due) => {
    let on = idle.pop();
    while (on && !on.isOpen()) on = idle.pop();
    if (!on && connections.size >= (standing || CONNECTIONS_MAX)) return void (unsent += 1);
    on ??= connection();
    const asking = ask(on, due).then(() => void (on.isOpen() && idle.push(on)));
    underWay.add(asking);
    void asking.then(() => underWay.delete(asking));
  };

  if (callers !== undefined) await Promise.all(Array.from({ length: callers }, call));
  else {
    for (let sent = 0; performance.now() < until; await pause(TICK_MS))
      for (; began + (sent * 1_000) / rate <= performance.now(); sent += 1) arrive(began + (sent * 1_000) / rate);
    await Promise.race([Promise.all(underWay), pause(LAST_ANSWER_MS)]);
  }
  const unanswered = underWay.size;
  connections.forEach(({ end }) => end());
  await Promise.all(underWay);
  return { requests, unsent, unanswered, began };
}

/** Chooses the next member to add or remove. The load removes as many members as it adds, so only the history grows. */
function requestsOn(places) {
  const present = [];
  let turn = 0;
  return () => {
    if (present.length > PRESENT_EACH * places.length)
      return { wish: { method: 'DELETE', ...present.shift() }, done: () => undefined };
    const wish = { method: 'POST', organization: places[(turn += 1) % places.length], user: randomUUID() };
    const done = (status) =>
      void (status === 201 && present.push({ organization: wish.organization, user: wish.user }));
    return { wish, done };
  };
}

function textOf({ method, organization, user }, host, key) {
  const path = `/api/v1/organizations/${organization}/members`;
  const head = (at) => `${method} ${at} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n`;
  if (method === 'DELETE') return `${head(`${path}/${user}`)}\r\n`;
  const body = JSON.stringify({ user, role: 'member' });
  return `${head(path)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A connection that carries one request at a time. Status 0 means that the connection ended without an answer. */
function connected({ host, hostname, port }) {
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  let received = '';
  let answer;
  const settle = (value) => {
    const waiting = answer;
    answer = undefined;
    received = '';
    waiting?.(value);
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    received += chunk;
    const whole = wholeIn(received);
    if (whole) settle(whole);
  });
  const isThere = new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  socket.on('error', () => undefined);
  socket.on('close', () => settle({ status: 0 }));
  const ask = (text) =>
    new Promise((resolve) => {
      if (socket.destroyed) return resolve({ status: 0 });
      answer = resolve;
      socket.write(text, 'latin1');
    });
  return { host, ask, isThere, isOpen: () => !socket.destroyed && socket.writable, end: () => socket.destroy() };
}

/** The answer in this text, if it is complete. Each answer to these requests contains its length. */
function wholeIn(text) {
  const end = text.indexOf('\r\n\r\n');
  const length = end >= 0 && /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1];
  if (!length || text.length < end + 4 + Number(length)) return undefined;
  const body = JSON.parse(text.slice(end + 4));
  return {
    status: Number(text.slice(9, 12)),
    later: Number(/\r\nretry-after: (\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? 0),
    revision: body.revision,
    problem: body.type,
  };
}
