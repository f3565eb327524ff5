import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { times } from '../nightly/length';
import { inTime } from '../support/in-time';
import type { Sent } from '../support/requests/http';
import { founded, path } from '../support/requests/organizations';
import { type Served, serving, settled, until } from '../support/serving';

describe('Q7: Stop under load', () => {
  it.each(Array.from({ length: times(5, 50) }, (_, time) => time + 1))(
    'keeps every acknowledged write and finishes every accepted request (round %i)',
    async (time) => {
      const served = await serving();
      const key = await served.key();
      const id = await founded(served, { by: key });
      const acknowledged: string[] = [];
      const broken: unknown[] = [];
      const begun = { stop: false };
      const worker = async (index: number) => {
        while (!begun.stop) {
          const user = randomUUID();
          // a request with an Idempotency-Key takes the Nest route, any other request the fast path
          const headers: Sent['headers'] = index % 2 === 0 ? {} : { 'Idempotency-Key': user };
          try {
            const { status } = await served.ask('POST', path(id, '/members'), {
              key,
              headers,
              body: { user, role: 'member' },
            });
            if (status === 201) acknowledged.push(user);
            else broken.push(status);
          } catch (error) {
            if (!isNotAccepted(error)) broken.push(error);
          }
        }
      };
      const workers = Array.from({ length: 16 }, (_, index) => worker(index));
      await until(() => acknowledged.length > 20 * (1 + (time % 5)), 60_000);

      const stopped = inTime(15_000, served.stop());
      await pause(20);
      begun.stop = true;
      await Promise.all([stopped, ...workers]);
      expect(broken).toEqual([]);

      const again = await serving({ folder: served.folder });
      // waits until the read model contains the writes that the stopped process acknowledged
      await settled(again);
      const { members } = (await again.ask('GET', path(id), { key })).body as { members: { _id: string }[] };
      const there = new Set(members.map(({ _id }) => _id));
      expect(acknowledged.filter((user) => !there.has(user))).toEqual([]);
      expect(there.size).toBe(members.length);
      const verified = await verifyView(again.charter.log, (await again.charter.view.live())!, organizationView);
      expect(verified).toMatchObject({ ok: true, hash: verified.replayHash });
      await again.close();
    },
    120_000,
  );

  it('first makes the readiness check fail, while an accepted request still finishes', async () => {
    const served = await serving();
    const key = await served.key();
    const id = await founded(served, { by: key });
    const body = JSON.stringify({ user: randomUUID(), role: 'member' });
    const slow = await slowRequest(
      served,
      `POST ${path(id, '/members')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const healthRequest = await slowRequest(served, 'GET /health/ready HTTP/1.1\r\n');
    await pause(50);

    const stopped = served.stop();
    await pause(50);
    // the server accepts no new connection
    await expect(served.ask('GET', '/health/live')).rejects.toThrow(/ECONNREFUSED/);
    healthRequest.write('Host: x\r\n\r\n');
    slow.write(body);
    const [text, ready] = await Promise.all([slow.text, healthRequest.text]);
    await stopped;
    expect(text).toMatch(/^HTTP\/1.1 201 [^]*\r\nConnection: close\r\n/);
    expect(ready).toMatch(/^HTTP\/1.1 503 [^]*\r\nConnection: close\r\n[^]*"status":"stopping"/);

    const again = await serving({ folder: served.folder });
    await settled(again);
    expect((await again.ask('GET', path(id), { key })).body.members).toHaveLength(1);
    await again.close();
  });
});

/**
 * Whether the connection was refused, or closed before an answer. The caller then knows that it must send the request
 * again.
 */
const isNotAccepted = (error: unknown) =>
  ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code));

/**
 * A request of which only the beginning has been sent. `text` resolves with everything received until the connection
 * closes.
 */
async function slowRequest({ url }: Served, head: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  await new Promise((resolve) => socket.write(head, resolve));
  return { write: (rest: string) => void socket.write(rest), text: closed };
}
