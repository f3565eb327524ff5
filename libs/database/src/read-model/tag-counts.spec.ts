import { ReadModelNotBuilt } from '@charter/projections';
import { databases } from '../database.testing';
import { countingView, named, opened, projectAll, tagAdded, tagRemoved } from './counting-view.testing';

describe.each(databases)('Counts of tags in %s', (_database, make) => {
  let fixture: Awaited<ReturnType<typeof opened>>;
  beforeEach(async () => {
    fixture = await opened(make);
  });
  afterEach(() => fixture.close());

  const view = countingView();

  it('count the rows of each tag that begins with the given text, and of no other tag', async () => {
    const store = fixture.database.view(view);
    const tags = [['kind:a', 'kind:b'], ['kind:a', 'kind', 'kine'], ['kind;', 'KIND:a', 'kind:'], ['other']];
    for (const [index, own] of tags.entries())
      await fixture.write(`tally-${index}`, named(`T${index}`), ...own.map(tagAdded));
    await fixture.write('tally-9', tagAdded('kind:a')); // this stream has no list row
    await projectAll(fixture.log, store);
    expect(await store.tagCounts('kind:')).toEqual([
      { tag: 'kind:', rows: 1 },
      { tag: 'kind:a', rows: 2 },
      { tag: 'kind:b', rows: 1 },
    ]);
    expect(await store.tagCounts('nothing:')).toEqual([]);
    await fixture.write('tally-0', tagRemoved('kind:a'), named('Other'));
    await projectAll(fixture.log, store);
    expect(await store.tagCounts('kind:a')).toEqual([{ tag: 'kind:a', rows: 1 }]);
  });

  it('follow tags that a row loses and gains while its name stays the same', async () => {
    const store = fixture.database.view(view);
    await fixture.write('tally-1', named('T1'), ...['t:b', 't:d', 't:f', 't:h'].map(tagAdded));
    await projectAll(fixture.log, store);
    const changes = [tagRemoved('t:b'), tagRemoved('t:f'), ...['t:a', 't:e', 't:i'].map(tagAdded)];
    await fixture.write('tally-1', ...changes);
    await projectAll(fixture.log, store);
    const counts = await store.tagCounts('t:');
    expect(counts.map(({ tag }) => tag)).toEqual(['t:a', 't:d', 't:e', 't:h', 't:i']);
  });

  it('fail before the read model of this version is built, instead of showing no rows', async () => {
    await expect(fixture.database.view(view).tagCounts('kind:')).rejects.toThrow(ReadModelNotBuilt);
    await fixture.write('tally-1', named('T1'), tagAdded('kind:a'));
    await projectAll(fixture.log, fixture.database.view(view));
    const next = fixture.database.view({ ...view, version: 2 });
    await expect(next.tagCounts('kind:')).rejects.toThrow(ReadModelNotBuilt);
    const sameRows = fixture.database.view({ ...view, version: 2, listedSince: 1 });
    expect(await sameRows.tagCounts('kind:')).toEqual([{ tag: 'kind:a', rows: 1 }]);
  });
});
