import { randomUUID } from 'node:crypto';
import { LogError } from '@charter/event-log';
import { faulty } from '../support/stores/faults';
import { founded, path } from '../support/requests/organizations';
import { type Served, serving } from '../support/serving';

const lost = () => Promise.reject(new LogError('unavailable', 'The answer is lost.'));
const member = () => ({ user: randomUUID(), role: 'member' });

describe('a command of which nobody could say whether it happened', () => {
  /** The service, which fails that way from the moment when `fails` is set; what it wrote is written. */
  async function failing(way: 'log' | 'receipts') {
    const here = { fails: false };
    const served: Served = await serving({
      between: (stores) => {
        const { log, documents } = stores;
        const append: typeof log.append = async (...asked) => {
          const appended = await log.append(...asked);
          return here.fails ? lost() : appended;
        };
        const readStream: typeof log.readStream = (...asked) =>
          here.fails ? { [Symbol.asyncIterator]: () => ({ next: lost }) } : log.readStream(...asked);
        const answer: typeof documents.receipts.answer = (...asked) =>
          here.fails ? lost() : documents.receipts.answer(...asked);
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
    'holds its key, when the %s failed: the same again is answered, anything else is refused',
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
