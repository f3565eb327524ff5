import { organizationStream } from '@charter/organization';
import { done, founded, path } from '../support/requests/organizations';
import { newFolder, paused, resumed, type Served, serving, settled, until } from '../support/serving';
import { insertForeign } from '../support/stores/foreign-events';
import { following } from './following';

const routes = ['/timeline', '/changes?path=/name', '/steps?from=0', '/events'];

/** The last revision that an answer of one of these routes contains. */
const lastRevisionIn = (body: Record<string, unknown>): number => {
  const { last, changes, steps, events } = body as Record<string, undefined | readonly { revision: number }[]>;
  const revisions = [last, changes, steps, events].flat().map((point) => point?.revision ?? -1);
  return Math.max(...revisions);
};

describe('Answer about a history', () => {
  let served: Served;
  let key: string;
  beforeAll(async () => {
    served = await serving();
    key = await served.key();
  });
  afterAll(() => served.close());

  it.each(routes)('(%s) contains the newest event although the read model lags', async (route) => {
    const id = await founded(served, { by: key });
    await paused(served);
    await done(served, key, id, ['PATCH', '', { name: 'Acme Oy' }]);
    const { status, body } = await served.ask('GET', path(id, route), { key });
    await resumed(served);
    expect([status, lastRevisionIn(body)]).toEqual([200, 1]);
  });
});

describe('Feed of one organization with an unreadable event', () => {
  it('sends each unreadable event with the field `unreadable` to an API key; a feed with filters omits these events', async () => {
    const folder = newFolder();
    const served = await serving({ folder });
    const key = await served.key();
    const id = await founded(served, { by: key });
    await settled(served);
    insertForeign(folder, organizationStream(id), { type: 'MemberAdded', data: '{"day":', metadata: '{}' });
    const follow = (query: string) => following(`${served.url}${path(id, `/events?${query}`)}`, { key });
    const [all, filtered] = [await follow(''), await follow('about=/members&actor=key&correlation=unknown')];
    await until(() => all.received().length === 2);
    insertForeign(folder, organizationStream(id), { type: 'MemberAdded', data: '{"day":', metadata: '{}' });
    await until(() => all.received().length === 3);
    expect(all.received().map(({ data }) => [data.revision, 'unreadable' in data])).toEqual([
      [0, false],
      [1, true],
      [2, true],
    ]);
    expect([filtered.status, filtered.ended(), filtered.received()]).toEqual([200, undefined, []]);
    for (const { leave } of [all, filtered]) leave();
    await served.close();
  });
});
