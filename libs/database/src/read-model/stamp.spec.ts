import { rebuild } from '@charter/projections';
import { opened, named, projectAll, countingView } from './counting-view.testing';

describe('Stamp of a view', () => {
  it('changes only with a commit of documents by any process, and with another live edition', async () => {
    const fixture = await opened();
    const other = await fixture.place.open();
    const [store, otherStore] = [fixture.database.view(countingView()), other.view(countingView())];
    const projected = async (by: typeof store) => {
      await projectAll(fixture.log, by);
      return store.stampSync!();
    };
    const stamps = [store.stampSync!()];
    await fixture.write('tally-a', named('Acme'));
    stamps.push(await projected(store));
    await fixture.write('tally-b', named('Bakery'));
    stamps.push(await projected(otherStore));
    await rebuild(fixture.log, otherStore, countingView());
    stamps.push(store.stampSync!());
    expect(new Set(stamps).size).toBe(4);
    await otherStore.pause();
    await otherStore.resume();
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
