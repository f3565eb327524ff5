import { randomUUID } from 'node:crypto';
import { MemoryLog } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { createEventNotes } from './event-notes';

type Stores = Parameters<typeof createEventNotes>[0];

describe('The notes about the events of a history', () => {
  it('are copied only if the history has new events', async () => {
    const id = randomUUID();
    const stream = organizationStream(id);
    const log = new MemoryLog();
    const query = async () => Number((await log.head()) > '');
    const append = () =>
      log.append(stream, [{ id: randomUUID(), type: 'Noted', data: {}, metadata: { hash: randomUUID() } }], {
        expected: 'any',
      });
    const notes = createEventNotes<string[]>({ log, organizations: { query } } as unknown as Stores, {
      begin: (known = []) => [...known],
      add: (events, { type, revision }) => events.push(`${type} ${revision}`),
      sizeOf: ({ length }) => length,
      sizeMax: 100,
    });
    await append();
    const first = await notes.read(id);
    expect(await notes.read(id)).toBe(first);
    await append();
    expect([first, await notes.read(id)]).toEqual([['Noted 0'], ['Noted 0', 'Noted 1']]);
  });
});
