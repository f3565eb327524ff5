import { randomUUID } from 'node:crypto';
import { contentOf, EVENT_DEPTH_MAX } from '../unreadable-event';
import { type ServerEvent, storedEventOf } from './stored-event';

/** JSON of this depth. `JSON.stringify` would exceed the call stack for the value of 100,000 levels. */
const arrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const event = (data: string, metadata?: string) =>
  storedEventOf({
    ...{ id: randomUUID(), type: 'Noted', streamId: 'elsewhere-1', revision: 7n, created: new Date(0), isJson: true },
    ...{ position: { commit: 9n, prepare: 9n }, data: JSON.parse(data) as unknown },
    ...(metadata !== undefined && { metadata: JSON.parse(metadata) as unknown }),
  } as ServerEvent);

describe('Event of another tool', () => {
  it.each([
    ['arrays in its data', arrays(100_000), undefined],
    ['objects in its data', objects(100_000), undefined],
    ['arrays in its metadata', '{}', arrays(EVENT_DEPTH_MAX + 1)],
  ])('with too many levels of %s is unreadable', (_, data, metadata) => {
    const stored = event(data, metadata);
    expect([stored.revision, contentOf(stored)]).toEqual([7n, undefined]);
    expect(() => stored.data).toThrow(`Event 7 of elsewhere-1 has more than ${EVENT_DEPTH_MAX} levels.`);
  });

  it('with the maximum number of levels is readable', () => {
    expect(contentOf(event(objects(EVENT_DEPTH_MAX), arrays(EVENT_DEPTH_MAX)))).toBeDefined();
  });
});
