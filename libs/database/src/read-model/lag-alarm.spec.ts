import { setTimeout as pause } from 'node:timers/promises';
import { project } from '@charter/projections';
import { counted, opened, projectAll, countingView } from './counting-view.testing';

const HOUR_MS = 3_600_000;
const anHourLater = () => Date.now() + HOUR_MS;

describe('a read model that is an hour behind', () => {
  it('does not ring while the checkpoint is not yet known', async () => {
    const { log, documents, write, close } = await opened();
    const view = countingView();
    await write('tally-1', counted());
    const store = documents.view(view);
    await projectAll(log, store, view);

    const rung: boolean[] = [];
    const looking = Promise.withResolvers<undefined>();
    const slow = { ...store, live: () => looking.promise.then(() => store.live()) };
    const options = { alarm: () => undefined, onLate: (isLate: boolean) => void rung.push(isLate), now: anHourLater };
    const projection = project(log, slow, view, options);
    await pause(1_100);
    looking.resolve(undefined);
    await projection.whenProcessed(await log.head(), { timeout: 10_000 });
    await pause(600);
    expect(rung).toEqual([]);

    await store.pause();
    while (projection.now().phase !== 'paused') await pause(20);
    await write('tally-1', counted());
    while (rung.length === 0) await pause(50); // else the spec takes too long
    expect(rung).toEqual([true]);
    await projection.stop();
    await close();
  });
});
