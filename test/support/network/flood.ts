import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Browser, browser, mailsOf, person, accountEventsOf } from '../sign-in/people';
import { eventsOf, keyId, type Served, until } from '../serving';

/** One client with 8 connections that sends `POST /forgot` all the time, 50 requests pipelined on each connection. */
export type Flood = Readonly<{ answered: () => number; stop: () => Promise<void> }>;

export async function floodOf(served: Served): Promise<Flood> {
  const page = await browser(served);
  const body = JSON.stringify({ email: 'stranger@flood.example' });
  const headers = {
    ...{ Host: 'localhost', Cookie: page.cookieHeader(), 'X-XSRF-TOKEN': page.token() },
    ...{ 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `POST /forgot HTTP/1.1\r\n${head.join('')}\r\n${body}`;
  const workerData = { port: Number(new URL(served.url).port), connections: 8, depth: 50, request };
  const worker = new Worker(join(__dirname, 'pipelining.mjs'), { workerData });
  let answered = 0;
  worker.on('message', (more: number | 'stopped') => {
    if (typeof more === 'number') answered += more;
  });
  return {
    answered: () => answered,
    stop: async () => {
      const ended = once(worker, 'exit');
      worker.postMessage('stop');
      await ended;
    },
  };
}

/**
 * Other people with different client addresses. Each person requests a reset link once, fails to sign in once, and
 * uses an API key once.
 */
export async function otherPeople(served: Served, count: number) {
  const people = await Promise.all(Array.from({ length: count }, () => person(served)));
  const keys = await Promise.all(people.map(() => served.key()));
  const statuses: number[] = [];
  const act = async (index: number) => {
    const address = `203.0.${index >> 8}.${index & 255}`;
    const here: Browser = await browser(served, address);
    const headers = { 'X-Forwarded-For': address };
    const answers = [
      await here.send('POST', '/forgot', { email: people[index]!.email }),
      await here.logIn(people[index]!.email!, 'not the password at all'),
      await served.ask('GET', '/api/v1/organizations', { key: keys[index]!, headers }),
    ];
    statuses.push(...answers.map(({ status }) => status));
  };
  return {
    count,
    act,
    /** Expects that each person got one mail, and that no entry of the audit trail is missing. */
    expectServed: async () => {
      expect(new Set(statuses)).toEqual(new Set([204, 401, 200]));
      await until(async () => (await served.charter.database.deferred.waiting()) === 0, 60_000);
      for (const each of people) {
        expect((await mailsOf(served, each)).map(({ kind, to }) => [kind, to])).toEqual([['reset', each.email]]);
        const events = (await accountEventsOf(served, each)).map(({ type }) => type);
        expect(events.sort()).toEqual(['PasswordResetRequested', 'SignInFailed']);
      }
      for (const key of keys)
        expect((await eventsOf(served, `key-${await keyId(served, key)}`)).map(({ type }) => type)).toEqual([
          'KeyUsed',
        ]);
    },
  };
}
