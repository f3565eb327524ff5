import { randomUUID } from 'node:crypto';
import { LogError } from '@charter/event-log';
import { faulty } from '../support/stores/faults';
import { founded, path } from '../support/requests/organizations';
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
    const ask = (body: object) =>
      served.ask('POST', path(id, '/members'), { key, body, headers: { 'Idempotency-Key': 'once' } });
    return { here, served, ask };
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
});
