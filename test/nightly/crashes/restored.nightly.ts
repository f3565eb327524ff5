import { join } from 'node:path';
import { openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { type Operation, meetingPlaces, askDuring } from '../../crash/callers';
import { begunLife } from '../../crash/life';
import {
  askAgain,
  backedUpAndRestored,
  costOf,
  coveredBy,
  LOAD,
  restoredFrom,
  costText,
} from '../../crash/restore/restoring';
import { ended } from '../../cli/command-line';
import { runningFacade } from '../../facade/running';
import { acknowledged, expectWhole } from '../../processes/observing';
import { postgresTool } from '../../support/stores/postgres-tools';
import { several } from '../../support/network/processes';
import { eventsOf, until } from '../../support/serving';
import { times } from '../length';
import { cliWith, EVENTS_EACH, grown } from '../histories/rebuild-deployments';

it('U1: Each backup that this test makes under load is complete, and can be restored in another folder', async () => {
  const life = await begunLife();
  for (let time = 1; time <= times(5, 20); time += 1)
    process.stdout.write(`${time}: ${costText(await backedUpAndRestored(life))}`);
  await life.end();
});

it('U1: A server that starts on the backup of a large log is ready within fifteen minutes', async () => {
  const life = await begunLife();
  const events = times(18_000, 1_000_000);
  await life.charter.inside((charter) => grown(charter, events / EVENTS_EACH));
  await life.settle();
  const copy = join(life.charter.data, 'backup');
  const began = performance.now();
  expect((await life.charter.run(['backup', copy])).code).toBe(0);
  const taken = performance.now() - began;
  await restoredFrom(copy, FIFTEEN_MINUTES_MS, async ({ ready }) => {
    const seconds = [taken, ready].map((ms) => (ms / 1_000).toFixed(1));
    process.stdout.write(`${events} events: backup ${seconds[0]} s, RTO ${seconds[1]} s\n`);
  });
  await life.end();
});

const FIFTEEN_MINUTES_MS = 900_000;

it('U1: Tables from pg_dump and events from a later export can be restored into other stores, even with commands during the backup', async () => {
  for (let time = 1; time <= times(2, 20); time += 1) {
    const all = await several();
    const [one, other] = await Promise.all([all.start(), all.start()]);
    const key = await all.key();
    const places = await meetingPlaces({ url: one.url, key }, 5);
    const folder = all.settings['CHARTER_DATA']!;
    const [dump, events] = [join(folder, 'charter.dump'), join(folder, 'events.jsonl')];
    let [began, over] = [0, 0];
    const operations: Operation[] = [];
    const backingUp = async () => {
      await until(() => acknowledged(operations) >= LOAD, 60_000);
      began = performance.now();
      const { DOCUMENTS } = all.settings;
      const schema = new URL(DOCUMENTS!).searchParams.get('schema')!;
      await postgresTool('pg_dump', '--format=custom', `--schema=${schema}`, `--file=${dump}`, all.postgres.url);
      expect(await ended(cliWith(all.settings)('export', '--all', '--out', events))).toMatchObject({ code: 0 });
      over = performance.now();
    };
    await askDuring({ url: one.url, key }, places, backingUp(), operations);
    await Promise.all([one.kill(), other.kill()]);

    const facade = await runningFacade();
    const database = `restored_${process.pid}_${time}`;
    const inOther = (url: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
    await postgresTool('createdb', `--maintenance-db=${all.postgres.url}`, database);
    const restoring = performance.now();
    const [DOCUMENTS, EVENT_LOG] = [inOther(all.settings['DOCUMENTS']!), all.settings['EVENT_LOG']!];
    const settings = { ...all.settings, DOCUMENTS, EVENT_LOG: EVENT_LOG.replace(all.facade.url, facade.url) };
    await postgresTool('pg_restore', '--single-transaction', `--dbname=${inOther(all.postgres.url)}`, dump);
    for (const words of [
      ['import', events],
      ['projections', 'rebuild'],
      ['verify', '--all'],
    ])
      expect([words, await ended(cliWith(settings)(...words))]).toMatchObject([words, { code: 0 }]);
    const restored = await all.start(settings);
    const ready = performance.now() - restoring;

    const covered = coveredBy(operations, began);
    const charter = await openCharter(parseSettings(settings), 'beside');
    await expectWhole({ ...all, charter }, covered);
    const cost = costOf(operations, await eventsOf({ charter }, ''), began, over);
    await askAgain({ url: restored.url, key }, covered, began);
    await expectWhole({ ...all, charter }, covered);
    process.stdout.write(`${time}: ${costText({ ...cost, ready })}`);
    await charter.close();
    await restored.kill();
    await postgresTool('dropdb', `--maintenance-db=${all.postgres.url}`, database);
    await facade.remove();
    await all.end();
  }
});
