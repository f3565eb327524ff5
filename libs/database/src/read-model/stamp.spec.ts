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

  it('lets an edition read its status again only after a commit of this or another process', async () => {
    const fixture = await opened();
    const other = await fixture.place.open();
    const [store, otherStore] = [fixture.database.view(countingView()), other.view(countingView())];
    await projectAll(fixture.log, store);
    const live = (await store.live())!;
    const first = await live.status();
    expect(await live.status()).toBe(first); // the same object: nothing was read
    await otherStore.pause();
    expect(await live.status()).toMatchObject({ paused: true });
    await store.resume();
    expect(await live.status()).toMatchObject({ paused: false });
    await other.close();
    await fixture.close();
  });
});
