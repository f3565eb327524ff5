import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { CommandLine } from '../../cli/command-line';
import { ask, askDuring, type Asking, type Operation, meetingPlaces } from '../../crash/callers';
import { expectWholeIn } from '../../crash/oracle';
import { type Exit, exitOf, type Process, type Several, several } from '../../support/network/processes';
import { eventsOf } from '../../support/serving';
import { times } from '../length';

// N4 (`acceptance.md`) with events in EventStoreDB and tables in PostgreSQL. These stores can fail at other points than
// the embedded log.

let stores: Several;
let operations: Operation[];
let key: string;
beforeEach(async () => {
  stores = await several();
  key = await stores.key();
  operations = [];
}, 120_000);
afterEach(() => stores.end());

/** The settings that make a server kill itself at this statement. */
const doomed = (at: string, nth: number, when: 'before' | 'after') => ({
  NODE_OPTIONS: `--require=${join(__dirname, '../../crash/children/killing.cjs')}`,
  ...{ KILL_AT: at, KILL_NTH: String(nth), KILL_WHEN: when },
});

const asking = ({ url }: Process): Asking => ({ url, key });

/**
 * Starts the server, which must be ready in time, and checks oracle R (`acceptance.md`). Then sends each request with
 * an `Idempotency-Key` and an unknown outcome again, and checks oracle R once more.
 */
async function rises(): Promise<Process> {
  const began = performance.now();
  const server = await stores.start();
  expect(performance.now() - began).toBeLessThan(READY_MS);
  await pause(100);
  await expectWhole();
  const unanswered = operations.filter(({ outcome, request }) => outcome === 'unknown' && request.key !== undefined);
  for (const operation of unanswered) await ask(asking(server), operation);
  expect(unanswered.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
  await expectWhole();
  return server;
}
/**
 * The time in milliseconds within which the server must be ready. The short run (without LONG=1) allows more time,
 * because other work runs on the machine.
 */
const READY_MS = times(120_000, 10_000);

async function expectWhole(): Promise<void> {
  const events = await eventsOf(stores, '');
  await expectWholeIn(
    events.filter(({ stream }) => stream !== 'charter-store'),
    operations,
  );
}

/** Waits until the read model has processed every event, and checks that it equals a replay. */
async function expectEqual(): Promise<void> {
  const head = await stores.charter.log.head();
  for (let tries = 0; ; tries += 1) {
    const live = await stores.charter.view.live();
    const { checkpoint } = (await live?.status()) ?? {};
    if (live && checkpoint && checkpoint.position >= head) {
      expect(await verifyView(stores.charter.log, live, organizationView)).toMatchObject({ ok: true, different: 0 });
      return;
    }
    if (tries > 600) throw new Error('The read model does not catch up.');
    await pause(50);
  }
}

/**
 * Waits for the end of the process, and checks that SIGKILL ended it. @throws with the output of the process if the
 * process does not end in time
 */
async function deathOf(exited: Promise<Exit>, said: () => string): Promise<void> {
  const never = new AbortController();
  const late = pause(DOOMED_MS, undefined, { signal: never.signal }).then(() => {
    throw new Error(`The process still runs after ${DOOMED_MS} ms. ${said().slice(-4_000)}`);
  });
  late.catch(() => undefined);
  expect(await Promise.race([exited, late])).toMatchObject({ signal: 'SIGKILL' });
  never.abort();
}
/**
 * The time in milliseconds within which a killed server must have ended. Under load the server reaches each point
 * within seconds.
 */
const DOOMED_MS = 60_000;

/** Sends commands until the server has ended. */
async function askUntilDead(server: Process, places: readonly string[], death: Promise<unknown>): Promise<void> {
  operations.push(...(await askDuring(asking(server), places, death)));
}

/** Starts a server that kills itself at this point under load, and then starts a server without this setting. */
async function dieAt(at: string, nth: number, when: 'before' | 'after', places: readonly string[]): Promise<void> {
  const server = await stores.start(doomed(at, nth, when));
  await askUntilDead(server, places, deathOf(server.exited, server.output));
  await (await rises()).kill();
}

const rounds = times(2, 10);

describe('N4: A server that is killed', () => {
  it.each<[string, string, 'before' | 'after']>([
    ['before it writes documents', '^insert into "documents"', 'before'],
    ['between documents and the end of their transaction', '^insert into "documents"', 'after'],
    ['between the checkpoint and the documents', '^update "editions" set .*"position"', 'after'],
    ['before it stores an answer for the Idempotency-Key', '^update receipts as r\\s+set status', 'before'],
    ['after an answer was stored, before it was sent', '^update receipts as r\\s+set status', 'after'],
  ])('%s, starts again and loses nothing', async (_, at, when) => {
    const first = await stores.start();
    const places = await meetingPlaces(asking(first), 5);
    await first.kill();
    for (let round = 0; round < rounds; round += 1) await dieAt(at, 3 + round * 7, when, places);
    await stores.start();
    await expectEqual();
  });

  it.each([
    ['before an append was written', 'dawdle'],
    ['after an append was written and before its answer', 'late'],
  ])('%s, starts again and loses nothing', async (_, fault) => {
    let server = await stores.start();
    const places = await meetingPlaces(asking(server), 5);
    for (let round = 0; round < rounds; round += 1) {
      const dying = async ({ kill }: Process) => {
        await pause(300);
        await stores.facade.order('order', fault, { ms: 400, times: 5 });
        await pause(150);
        await kill();
      };
      await askUntilDead(server, places, dying(server));
      await stores.facade.order('order', fault, { times: 0 });
      server = await rises();
    }
    await expectEqual();
  });

  it('while it creates its tables, can be started again with these tables', async () => {
    for (let nth = 1; nth <= times(3, 10); nth += 1) {
      const fresh = await stores.postgres.fresh();
      const child = stores.launch({ DOCUMENTS: fresh, ...doomed('^(create|alter) ', nth * 2, 'after') });
      await deathOf(exitOf(child), () => '');
      await (await stores.start({ DOCUMENTS: fresh })).kill();
    }
  });

  it('under load loses nothing, even if rebuilds of the read model are then killed, too', async () => {
    const server = await stores.start();
    const places = await meetingPlaces(asking(server), 5);
    await askUntilDead(server, places, pause(1_000).then(server.kill));
    const next = await rises();
    const commandLine = new CommandLine();
    for (let round = 0; round < rounds; round += 1) {
      const settings = { ...stores.settings, ...doomed('^insert into "documents"', 1, 'after') };
      const rebuilding = commandLine.start(['projections', 'rebuild', '--take-over'], settings);
      await deathOf(exitOf(rebuilding), () => '');
      expect((await next.health()).status).toBe(200);
    }
    commandLine.remove();
    await expectEqual();
  });
});

it('N5: A server starts cleanly after it was killed 20 times in a row during its recovery', async () => {
  const server = await stores.start();
  const places = await meetingPlaces(asking(server), 5);
  await askUntilDead(server, places, pause(500).then(server.kill));
  for (let time = 0; time < 20; time += 1) {
    const child = stores.launch();
    const ended = exitOf(child);
    await pause(100 + Math.random() * 2_000);
    child.kill('SIGKILL');
    await ended;
  }
  await rises();
  await expectEqual();
});
