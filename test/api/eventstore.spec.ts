import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import { against, startedTarget, type Target } from '../facade/eventstore-target';
import { done, founded, path } from '../support/requests/organizations';
import { secrets } from '../support/secrets';
import { newFolder, type Served, serving, until } from '../support/serving';

let target: Target;
beforeAll(async () => void (target = await startedTarget()), 120_000);
afterAll(() => target.stop());

const folder = newFolder();
const started = () =>
  serving({ folder, environment: { ...secrets, EVENT_LOG: target.url, EVENT_LOG_ALLOW_INSECURE: 'true' } });
const ask = (served: Served, key: string, method: string, at: string, body?: object) =>
  served.ask(method, at, { key, body });

describe(`Service over ${against}`, () => {
  let served: Served;
  let key: string;
  let id: string;
  beforeAll(async () => {
    served = await started();
    key = await served.key();
    id = await founded(served, { by: key, owner: randomUUID() });
    await done(served, key, id, ['PUT', '/limits', { users: 10 }]);
  }, 60_000);
  afterAll(() => served.close());

  it('M1: accepts exactly nine of 200 concurrent additions of members, because nine seats are free', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        ask(served, key, 'POST', path(id, '/members'), { user: randomUUID(), role: 'member' }),
      ),
    );
    const added = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect([added.length, refused.length]).toEqual([9, 191]);
    for (const { body } of refused)
      expect(body).toMatchObject({ type: '/problems/limit-exceeded', allowed: 10, used: 10, requested: 1 });
    const revisions = added.map(({ body }) => body.revision as number).sort((a, b) => a - b);
    expect(revisions).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  }, 60_000);

  it('gives the same answers about an organization after a restart', async () => {
    const before = (await ask(served, key, 'GET', path(id))).body;
    await served.stop();
    served = await started();
    expect((await ask(served, key, 'GET', path(id))).body).toEqual(before);
    expect((await ask(served, key, 'GET', path(id, '/entitlements/users'))).body).toMatchObject({
      used: 10,
      remaining: 0,
      revision: 11,
    });
    const refused = await ask(served, key, 'POST', path(id, '/members'), { user: randomUUID(), role: 'member' });
    expect(refused.status).toBe(409);
  }, 60_000);

  it('keeps the hash chain of an organization valid, and lists the organization once', async () => {
    const events: StoredEvent[] = [];
    for await (const event of served.charter.log.readStream(`organization-${id}`)) events.push(event);
    expect((await verifyChain(events)).ok).toBe(true);
    expect(events).toHaveLength(12);
    await served.runtime.projection.whenProcessed(events.at(-1)!.position, { timeout: 10_000 });
    const listed = await ask(served, key, 'GET', '/api/v1/organizations?limit=100');
    expect(listed.text.split(`"${id}"`)).toHaveLength(2); // the id occurs once between these two parts
  }, 60_000);

  it('refuses to start as a second server on the same database file, while the first server keeps working', async () => {
    await expect(started()).rejects.toThrow(/documents\.db is in use by another server: stop that one first\.$/);
    expect((await served.ask('GET', '/health/ready')).status).toBe(200);
  });

  it('answers 503 while the event store does not run, and recovers when the event store runs again', async () => {
    const { facade } = target;
    if (!facade) return; // specs do not stop a server that they did not start
    await facade.kill();
    const pending = ask(served, key, 'POST', '/api/v1/organizations', { name: 'Meanwhile' });
    const answer = await pending;
    expect(answer.status).toBe(503);
    expect((await served.ask('GET', '/health/ready')).status).toBe(503);
    expect((await served.ask('GET', '/health/live')).status).toBe(200);
    await facade.restart();
    await until(async () => (await served.ask('GET', '/health/ready')).status === 200, 15_000);
    const again = await ask(served, key, 'POST', '/api/v1/organizations', { name: 'Afterwards' });
    expect(again.status).toBe(201);
  }, 60_000);
});
