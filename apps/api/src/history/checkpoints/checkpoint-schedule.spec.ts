import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import { founded } from '../../../../../test/support/requests/organizations';
import { clockFrom, everyEventIn, type Served, serving, until } from '../../../../../test/support/serving';
import { cutOff } from '../../../../../test/support/stores/tampering';
import { scheduleCheckpoints } from './checkpoint-schedule';

const HOUR_MS = 3_600_000;
let served: Served;
const clock = clockFrom();
beforeEach(async () => {
  served = await serving({ clock });
  await until(() => served.runtime.projection.now().phase === 'running');
});
afterEach(() => served.close());

const loggedWith = (message: string) => served.entries().filter(({ msg }) => msg === message);
const troubles = async () => (await served.ask('GET', '/metrics')).text.match(/what="checkpoint"\} (\d+)/)![1];

it('I9: The projecting process signs a checkpoint every hour if there are new events, and logs each checkpoint', async () => {
  const { signIfDue, stop } = scheduleCheckpoints(served.runtime);
  await signIfDue(); // signs nothing: the log is empty
  expect(loggedWith('a checkpoint was signed')).toEqual([]);
  const key = await served.key();
  await founded(served, { by: key });
  const events = await everyEventIn(served);
  await signIfDue();
  await signIfDue();
  const [entry, ...more] = loggedWith('a checkpoint was signed');
  const note = await served.runtime.database.signedHeads.note();
  expect(entry).toMatchObject({ events, note });
  expect(more).toEqual([]);
  clock.advance(2 * HOUR_MS);
  await signIfDue(); // signs nothing: no event is new
  expect(await served.runtime.database.signedHeads.note()).toBe(note);
  await founded(served, { by: key });
  clock.advance(HOUR_MS - 60_000);
  await signIfDue();
  expect(loggedWith('a checkpoint was signed')).toHaveLength(1);
  clock.advance(2 * 60_000);
  await Promise.all([signIfDue(), signIfDue()]);
  expect(loggedWith('a checkpoint was signed')).toHaveLength(2);
  stop();
});

it('The setting CHECKPOINT_EVERY is the minimum interval between two checkpoints', async () => {
  const settings = { ...served.runtime.settings, checkpointEvery: 60_000 };
  const { signIfDue, stop } = scheduleCheckpoints({ ...served.runtime, settings });
  await founded(served);
  await signIfDue();
  await founded(served);
  clock.advance(50_000);
  await signIfDue();
  expect(loggedWith('a checkpoint was signed')).toHaveLength(1);
  clock.advance(11_000);
  await signIfDue();
  expect(loggedWith('a checkpoint was signed')).toHaveLength(2);
  stop();
});

it('Two processes that sign at the same time sign one checkpoint and raise no alarm', async () => {
  const processes = [scheduleCheckpoints(served.runtime), scheduleCheckpoints(served.runtime)];
  await founded(served);
  await Promise.all(processes.map(({ signIfDue }) => signIfDue()));
  expect(loggedWith('a checkpoint was signed')).toHaveLength(1);
  expect(loggedWith('a checkpoint could not be signed yet')).toEqual([]);
  expect(await troubles()).toBe('0');
  for (const { stop } of processes) stop();
});

it('The projecting process signs a checkpoint after a clock that was ahead has been corrected', async () => {
  const YEAR_MS = 365 * 24 * HOUR_MS;
  const { signIfDue, stop } = scheduleCheckpoints(served.runtime);
  clock.advance(YEAR_MS);
  await founded(served);
  await signIfDue();
  clock.advance(2 * HOUR_MS);
  await signIfDue(); // signs nothing, and reads the log again only after an hour
  clock.advance(-YEAR_MS);
  await founded(served);
  await signIfDue();
  expect(loggedWith('a checkpoint was signed')).toHaveLength(2);
  stop();
});

it('The projecting process refuses to sign a shortened log and logs an error for the operator', async () => {
  const key = await served.key();
  await founded(served, { by: key });
  await everyEventIn(served);
  const cut = await founded(served, { by: key });
  const { signIfDue, stop } = scheduleCheckpoints(served.runtime);
  await signIfDue();
  clock.advance(HOUR_MS);
  cutOff(`${served.folder}/events.db`, organizationStream(cut), 0);
  await signIfDue();
  await signIfDue();
  expect(loggedWith('a checkpoint was not signed')).toEqual([
    expect.objectContaining({ level: 50, why: expect.stringMatching(/the log ends before the last signed event/) }),
  ]);
  expect(await troubles()).toBe('1');
  clock.advance(2 * HOUR_MS);
  await signIfDue(); // the schedule repeats the error line only after an hour
  expect(await troubles()).toBe('2');
  stop();
  const { body } = await served.ask('GET', `/api/v1/organizations/${cut}/verify`, { key });
  expect(body).toEqual({ ok: false, at: 0, reason: 'its end is missing: 1 event was signed' });
});

it('A process that does not project signs no checkpoint', async () => {
  await founded(served, { by: await served.key(), name: randomUUID() });
  const { signIfDue, stop } = scheduleCheckpoints({
    ...served.runtime,
    projection: { ...served.runtime.projection, now: waiting },
  });
  await signIfDue();
  expect(await served.runtime.database.signedHeads.note()).toBeUndefined();
  stop();
});

const waiting = () => ({ ...served.runtime.projection.now(), phase: 'waiting' as const });
