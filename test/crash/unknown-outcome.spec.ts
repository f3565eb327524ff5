import { randomUUID } from 'node:crypto';
import { LogError } from '@charter/event-log';
import { faulty } from '../support/stores/faults';
import { done, founded, path } from '../support/requests/organizations';
import { person, signedIn } from '../support/sign-in/people';
import { type Served, serving } from '../support/serving';

const lost = () => Promise.reject(new LogError('unavailable', 'The answer is lost.'));
const member = () => ({ user: randomUUID(), role: 'member' });

describe('A command with an unknown outcome', () => {
  /** A service whose log or receipts report a failure after they have written, while `fails` is true. */
  async function failing(way: 'log' | 'receipts') {
    const here = { fails: false };
    const served: Served = await serving({
      between: (stores) => {
        const { log, database } = stores;
        const append: typeof log.append = async (...args) => {
          const appended = await log.append(...args);
          return here.fails ? lost() : appended;
        };
        const readStream: typeof log.readStream = (...args) =>
          here.fails ? { [Symbol.asyncIterator]: () => ({ next: lost }) } : log.readStream(...args);
        const answer: typeof database.receipts.answer = (...args) =>
          here.fails ? lost() : database.receipts.answer(...args);
        return faulty(way === 'log' ? { log: { append, readStream } } : { receipts: { answer } })(stores);
      },
    });
    const key = await served.key();
    const id = await founded(served, { by: key });
    const ask = (body: object, headers = {}) =>
      served.ask('POST', path(id, '/members'), { key, body, headers: { 'Idempotency-Key': 'once', ...headers } });
    return { here, served, ask, key, id };
  }

  it.each(['log', 'receipts'] as const)(
    'gets its answer at its repetition after a failure of the %s; another command with the same idempotency key is refused',
    async (way) => {
      const { here, served, ask } = await failing(way);
      const one = member();
      here.fails = true;
      expect((await ask(one)).status).toBe(503);
      here.fails = false;

      expect(await ask(member())).toMatchObject({ status: 422, body: { type: '/problems/key-reused' } });
      const { status, body } = await ask(one);
      expect([status, body.id, body.revision]).toEqual([201, one.user, 1]);
      expect(body.events).toEqual([{ type: 'MemberAdded', data: { member: one.user, role: 'member' } }]);
      await served.close();
    },
  );

  it('keeps its idempotency key if its repetition is malformed', async () => {
    const { here, served, ask } = await failing('receipts');
    const one = member();
    here.fails = true;
    expect((await ask(one)).status).toBe(503);
    here.fails = false;

    expect((await ask(one, { 'If-Match': 'no tag' })).status).toBe(400);
    expect(await ask(member())).toMatchObject({ status: 422, body: { type: '/problems/key-reused' } });
    expect(await ask(one)).toMatchObject({ status: 201, body: { id: one.user } });
    await served.close();
  });

  it('gets its answer at its repetition only if the caller may still send the command', async () => {
    const { here, served, key, id } = await failing('receipts');
    const account = await person(served);
    await done(served, key, id, ['POST', '/members', { user: account.id, role: 'admin' }]);
    const admin = await signedIn(served, account);
    const one = member();
    const ask = () => admin.send('POST', path(id, '/members'), one, { headers: { 'Idempotency-Key': 'once' } });
    here.fails = true;
    expect((await ask()).status).toBe(503);
    here.fails = false;

    await done(served, key, id, ['PATCH', `/members/${account.id}`, { role: 'member' }]);
    expect(await ask()).toMatchObject({ status: 403, body: { type: '/problems/not-allowed' } });
    await done(served, key, id, ['PATCH', `/members/${account.id}`, { role: 'admin' }]);
    expect(await ask()).toMatchObject({ status: 201, body: { id: one.user } });
    await served.close();
  });
});
