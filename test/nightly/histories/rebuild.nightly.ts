import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { rebuild, verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { ended } from '../../cli/command-line';
import { times } from '../length';
import { embedded, EVENTS_EACH, type RebuildDeployment, grown, onServers, organizations } from './rebuild-deployments';

/** Sends 200 commands a second, or fewer on a slow machine, and queries at the same time, until `stop` is called. */
function load({ ask }: RebuildDeployment, ids: readonly string[]) {
  const [reads, refused]: [number[], string[]] = [[], []];
  const revisions = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let commands = 0;
  let [turnedAway, readsTurnedAway] = [0, 0];
  const send = async (work: () => Promise<void>) => {
    const one = work().catch((why: unknown) => void refused.push(String(why)));
    underWay.add(one);
    await one;
    underWay.delete(one);
  };
  const command = async () => {
    const id = ids[(commands += 1) % 50]!;
    const { status, text } = await ask('POST', `/api/v1/organizations/${id}/members`, {
      body: { user: randomUUID(), role: 'member' },
    });
    if (status === 503)
      turnedAway += 1; // the server was overloaded and refused the command
    else if (status !== 201) refused.push(`${status} ${text}`);
  };
  const read = async () => {
    const id = ids[Math.floor(Math.random() * 50)]!;
    const seen = revisions.get(id) ?? 0; // the newest revision in the answers that came before this request was sent
    const began = performance.now();
    const [one, list] = [await ask('GET', `/api/v1/organizations/${id}`), await ask('GET', '/api/v1/organizations')];
    reads.push((performance.now() - began) / 2);
    if (one.status === 503 || list.status === 503) {
      readsTurnedAway += 1;
      return;
    }
    if (one.status !== 200 || list.status !== 200) refused.push(`${one.status} ${list.status} ${one.text}`);
    const revision = Number(/\d+/.exec(String(one.headers.etag))?.[0]);
    if (revision < seen) refused.push(`${id} went back from ${seen} to ${revision}`);
    revisions.set(id, Math.max(revision, revisions.get(id) ?? 0));
  };
  const begun = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    for (; due < (performance.now() - begun) / 5; due += 1) {
      if (underWay.size < 64) void send(command);
      if (due % 4 === 0 && underWay.size < 72) void send(read);
    }
  }, 5);
  return {
    reads: () => reads.splice(0).sort((a, b) => a - b),
    refused,
    perSecond: () => Math.round((commands * 1_000) / (performance.now() - begun)),
    turnedAway: () => turnedAway,
    readsTurnedAway: () => readsTurnedAway,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

const p95 = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? NaN;

describe.each([
  ['the embedded stores', embedded],
  ['the façade and PostgreSQL', onServers],
] as const)('A rebuild over %s', (name, open) => {
  let ground: RebuildDeployment;
  let ids: readonly string[];
  beforeAll(
    async () => {
      ground = await open();
      ids = await grown(ground.charter);
      await caughtUp();
    },
    times(240_000, 3_600_000),
  );
  afterAll(() => ground.end());
  const status = async () => {
    const { stdout } = await ended(ground.cli('projections', 'status', '--json'));
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the JSON of the command line has no type
    return (JSON.parse(stdout) as [any])[0];
  };
  const caughtUp = async () => {
    for (const end = Date.now() + times(120_000, 600_000); ;) {
      const { lagSeconds, edition } = await status();
      if (edition !== null && lagSeconds === 0) return;
      await pause(250);
      if (Date.now() > end) throw new Error(`It is still ${String(lagSeconds)} seconds behind.`);
    }
  };
  const expectWhole = async () => {
    const verified = await ended(ground.cli('projections', 'verify', '--json'));
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, documents: organizations });
  };

  it(
    'O8: A rebuild that is killed leaves the live edition live, and the next rebuild makes equal documents',
    async () => {
      const before = await status();
      for (let time = 0; time < times(2, 20); time += 1) {
        const child = ground.cli('projections', 'rebuild');
        const end = ended(child);
        while (!(await ground.charter.view.editions()).some(({ place }) => place === 'building')) {
          if (child.exitCode !== null) throw new Error('It was done before it could be killed.');
          await pause(2);
        }
        await pause(Math.random() * 50);
        child.kill('SIGKILL');
        await end;
        const { edition, lagSeconds } = await status();
        expect([edition, lagSeconds]).toEqual([before.edition, 0]);
      }
      const { code, stdout } = await ended(
        ground.cli('projections', 'rebuild', '--take-over', '--drop-retired', '--json'),
      );
      expect([code, JSON.parse(stdout).compared]).toMatchObject([0, { differences: 0, equal: organizations }]);
      expect((await status()).editions).toMatchObject([{ place: 'live', part: 1 }]);
      await expectWhole();
    },
    times(300_000, 1_800_000),
  );

  it(
    'O7: While 200 commands a second arrive, queries are answered, and the new documents equal a replay',
    async () => {
      const loading = load(ground, ids);
      await pause(times(4_000, 30_000));
      const readsBefore = loading.reads();
      const quiet = p95(readsBefore);
      const before = (await status()).edition;
      const begun = performance.now();
      const { code, stdout, stderr } = await ended(ground.cli('projections', 'rebuild', '--json'));
      const seconds = (performance.now() - begun) / 1_000;
      const readsDuring = loading.reads();
      const [during, rate] = [p95(readsDuring), loading.perSecond()];
      await pause(1_000);
      await loading.stop();
      const readsLost = loading.readsTurnedAway();

      expect([code, stderr]).toEqual([0, '']);
      const { compared, edition, events } = JSON.parse(stdout);
      process.stdout.write(
        `O7 ${name}: ${rate} commands a second, ${loading.turnedAway()} turned away, and ${readsLost} of ${readsBefore.length + readsDuring.length} reads; p95 ${quiet.toFixed(1)} ms before, ${during.toFixed(1)} ms during a rebuild of ${events} events in ${seconds.toFixed(1)} s\n`,
      );
      expect(loading.refused).toEqual([]);
      // In the short run (without LONG=1) the server refuses a part of this load, because other work uses the machine.
      expect(readsLost).toBeLessThanOrEqual((readsBefore.length + readsDuring.length) * times(0.05, 0));
      expect(rate).toBeGreaterThan(times(1, 190));
      expect(edition).toBeGreaterThan(before);
      expect(compared).toMatchObject({ differences: 0 });
      expect(compared.hash).toBe(compared.liveHash);
      // the run with LONG=1 has absolute bounds (`acceptance.md` 1)
      expect(during).toBeLessThan(Math.max(quiet * times(20, 2), 50));
      await caughtUp();
      await expectWhole();
    },
    times(300_000, 1_800_000),
  );

  it(
    'O14: A rebuild of a small log reads every event, equals a replay, and prints its rate',
    async () => {
      const { log, view } = ground.charter;
      const begun = performance.now();
      const { events, compared } = await rebuild(log, view, organizationView, { onProgress: () => undefined });
      const seconds = (performance.now() - begun) / 1_000;
      process.stdout.write(
        `O14 ${name}: ${Math.round(events / seconds)} events a second, compared with ${compared!.equal} documents\n`,
      );
      expect(events).toBeGreaterThanOrEqual(organizations * EVENTS_EACH);
      expect(await verifyView(log, (await view.live())!, organizationView)).toMatchObject({ ok: true });
    },
    times(300_000, 1_800_000),
  );
});
