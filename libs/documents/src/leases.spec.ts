import { setTimeout as pause } from 'node:timers/promises';
import { MemoryLog, project, verifyView } from '@charter/event-log';
import { openDocuments } from './open';
import type { Documents } from './stores';
import { counted, folder, tallyView, writerTo } from './tally.testing';

describe('a lease', () => {
  const { file, remove } = folder();
  let one: Documents;
  let other: Documents;
  let now = 0;
  beforeAll(async () => {
    [one, other] = [await openDocuments({ file: file() }), await openDocuments({ file: file() })];
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    remove();
  });

  it('has one holder, who keeps it by renewing, until it expires or is given back', async () => {
    const clock = { now: () => now, lasts: 900 };
    const [mine, theirs] = [one.lease('work', clock), other.lease('work', clock)];
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    now += 800;
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    now += 800;
    expect([await theirs.hold(), await mine.hold()]).toEqual([false, true]);
    now += 900;
    expect([await theirs.hold(), await mine.hold()]).toEqual([true, false]);
    await mine.release(); // it is not theirs to give
    expect(await mine.hold()).toBe(false);
    await theirs.release();
    expect(await mine.hold()).toBe(true);
    expect(await one.lease('other work', clock).hold()).toBe(true);
  });

  it('of a server that died is taken over by the next one at once, and by nobody else', async () => {
    const place = file('serving.db');
    const [died, beside] = [await openDocuments({ file: place, serving: true }), await openDocuments({ file: place })];
    expect([await died.lease('work').hold(), await beside.lease('work').hold()]).toEqual([true, false]);
    await died.close(); // and the lease was not given back
    const next = await openDocuments({ file: place, serving: true });
    expect([await beside.lease('work').hold(), await next.lease('work').hold()]).toEqual([false, true]);
    await next.close();
    await beside.close();
  });

  it('lets one of two projectors work; the other watches, and takes over when the first is gone', async () => {
    const log = new MemoryLog();
    const write = writerTo(log);
    const view = tallyView();
    const start = (documents: Documents) => {
      const lease = documents.lease('projector', { lasts: 300 });
      return project(log, documents.view(view), view, { alarm: () => undefined, pace: 0, lease });
    };
    let [works, waits] = [start(one), start(other)];
    let turns = 0;
    for (; turns < 4; turns += 1) {
      const position = await write('tally-a', counted(1));
      await works.whenProcessed(position, { timeout: 5_000 });
      await waits.whenProcessed(position, { timeout: 5_000 }); // told of the other's progress
      if (turns > 0) expect([works.now().phase, waits.now().phase]).toEqual(['running', 'waiting']);
      await works.stop(); // as a process that dies: the lease stays until it expires
      const gone = await write('tally-a', counted(1));
      await waits.whenProcessed(gone, { timeout: 5_000 });
      expect(waits.now().phase).toBe('running');
      [works, waits] = [waits, start(turns % 2 === 0 ? one : other)];
      while (waits.now().phase !== 'waiting') await pause(5);
    }
    await Promise.all([works.stop(), waits.stop()]);
    const edition = (await one.view(view).live())!;
    expect((await edition.get('tally-a'))?.state.total).toBe(turns * 2);
    expect(await verifyView(log, edition, view)).toMatchObject({ ok: true });
  });
});
