import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { MemoryLog } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { ClientGone, createGate, FEED_LIMITS } from '../../http/admission/gate';
import { EventsQuery } from '../history.requests';
import { OrganizationFeed, OrganizationFeedHandler } from './organization-feed.handler';

describe('The feed of one organization with a filter', () => {
  it('ends when the client disconnects, even if the filter accepts no event', async () => {
    const id = randomUUID();
    const log = new MemoryLog();
    const events = Array.from({ length: 10 }, () => ({
      id: randomUUID(),
      type: 'OrganizationRenamed',
      data: {},
      metadata: {},
    }));
    await log.append(organizationStream(id), events, { expected: 'any' });
    const response = Object.assign(new EventEmitter(), { set: jest.fn(), write: jest.fn(() => true), end: jest.fn() });
    let read = 0;
    const readStream = log.readStream.bind(log);
    jest.spyOn(log, 'readStream').mockImplementation(async function* (...asked) {
      for await (const event of readStream(...asked)) {
        if (response.write.mock.calls.length > 0 && (read += 1) === 3) response.emit('close');
        yield event;
      }
    });
    const caller = { actor: { kind: 'key', id: 'a key', powers: ['audit:read'] } };
    const parts = {
      ...{ log, now: () => 0, stopping: () => false, recordRead: async () => {} },
      feedGate: createGate(FEED_LIMITS, () => undefined),
    };
    const handler = Reflect.construct(OrganizationFeedHandler, [parts, {}, {}, {}, {}, {}]) as OrganizationFeedHandler;
    const call = { request: { charter: { caller, id: randomUUID() }, get: () => undefined }, response };
    const query = EventsQuery.parse({ type: 'MemberAdded', limit: '1' });
    const feed = new OrganizationFeed(id, query, call as unknown as OrganizationFeed['call']);
    await expect(handler.execute(feed)).rejects.toBeInstanceOf(ClientGone);
    expect(read).toBe(3);
  });
});
