import { opened, named, projectAll, countingView } from './counting-view.testing';

describe('Stamp of a view', () => {
  it('stays the same between commits, and changes with a commit of this or another process', async () => {
    const fixture = await opened();
    const other = await fixture.place.open();
    const [store, otherStore] = [fixture.database.view(countingView()), other.view(countingView())];
    const stamps = [store.stampSync!()];

    await fixture.write('tally-a', named('Acme'));
    await projectAll(fixture.log, store);
    stamps.push(store.stampSync!());
    await otherStore.pause();
    stamps.push(store.stampSync!());

    expect(new Set(stamps).size).toBe(3);
    expect(await store.get('tally-a')).toBeDefined();
    expect(store.stampSync!()).toBe(stamps.at(-1));
    await other.close();
    await fixture.close();
  });
});
