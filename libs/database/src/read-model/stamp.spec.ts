import { opened, named, projectAll, countingView } from './counting-view.testing';

describe('the stamp of a view', () => {
  it('stands while nothing is committed, and changes with a commit here or in another process', async () => {
    const world = await opened();
    const other = await world.place.open();
    const [store, theirs] = [world.documents.view(countingView()), other.view(countingView())];
    const stamps = [store.stampSync!()];

    await world.write('tally-a', named('Acme'));
    await projectAll(world.log, store);
    stamps.push(store.stampSync!());
    await theirs.pause();
    stamps.push(store.stampSync!());

    expect(new Set(stamps).size).toBe(3);
    expect(await store.get('tally-a')).toBeDefined();
    expect(store.stampSync!()).toBe(stamps.at(-1));
    await other.close();
    await world.close();
  });
});
