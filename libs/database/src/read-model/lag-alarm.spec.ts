import { setTimeout as pause } from 'node:timers/promises';
import { project } from '@charter/projections';
import { counted, opened, projectAll, countingView } from './counting-view.testing';

const HOUR_MS = 3_600_000;
const anHourLater = () => Date.now() + HOUR_MS;

describe('Lag alarm', () => {
  it('is not raised before the projector has read its checkpoint, and is raised when an old event waits', async () => {
    const { log, database, write, close } = await opened();
    const view = countingView();
    await write('tally-1', counted());
    const store = database.view(view);
    await projectAll(log, store, view);

    const alarms: boolean[] = [];
    const lookup = Promise.withResolvers<undefined>();
    const slow = { ...store, live: () => lookup.promise.then(() => store.live()) };
    const options = { alarm: () => undefined, onLate: (isLate: boolean) => void alarms.push(isLate), now: anHourLater };
    const projection = project(log, slow, view, options);
    await pause(1_100);
    lookup.resolve(undefined);
    await projection.whenProcessed(await log.head(), { timeout: 10_000 });
    await pause(600);
    expect(alarms).toEqual([]);

    await store.pause();
    while (projection.now().phase !== 'paused') await pause(20);
    await write('tally-1', counted());
    while (alarms.length === 0) await pause(50); // if no alarm comes, the spec's time limit ends this loop
    expect(alarms).toEqual([true]);
    await projection.stop();
    await close();
  });
});
