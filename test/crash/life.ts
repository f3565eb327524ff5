import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../cli/command-line';
import { ask, askDuring, askUntilKilled, type Operation, meetingPlaces } from './callers';
import { expectEqualReadModel, expectWhole } from './oracle';
import { type Running, started } from './server';

/** A server that the tests kill and start again, and the commands of its callers with their outcomes. */
export type Life = Readonly<{
  charter: CommandLine;
  operations: readonly Operation[];
  /** The server that runs at present. */
  server: () => Running;
  /** An API key for the server. The key stays valid when the server starts again. */
  key: string;
  /**
   * Callers send commands without a pause while `work` runs. `work` receives the list of these commands, which grows.
   * Resolves with the complete list.
   */
  during: (work: (sent: readonly Operation[]) => Promise<unknown>) => Promise<readonly Operation[]>;
  /**
   * Repeats the commands that have an idempotency key and an unknown outcome; each of them must get an answer. Checks
   * oracle R (`acceptance.md` 2) before and after.
   */
  reconcile: () => Promise<void>;
  /** Kills the server, starts it again, and calls `reconcile`. */
  restart: () => Promise<void>;
  /** Kills the server under load. Resolves with the commands that the callers sent to it. */
  die: () => Promise<readonly Operation[]>;
  /** Kills the server under load, starts it again, and checks oracle R. */
  dieAndRise: () => Promise<void>;
  /** Waits until the read model has processed every event, and checks that it equals a replay. */
  settle: () => Promise<void>;
  /** Starts the server after `stop` or `die`. */
  rise: (isUp?: (url: string) => Promise<boolean>) => Promise<void>;
  /** Kills the server and keeps the stores. */
  stop: () => Promise<void>;
  /** Kills the server and removes the stores. */
  end: () => Promise<void>;
}>;

/** @param charter the stores, by default in a new folder; `end` removes them */
export async function begunLife(
  settings: Readonly<Record<string, string>> = {},
  charter: CommandLine = new CommandLine(),
): Promise<Life> {
  const scopes = 'organizations:read,organizations:write,organizations:operate';
  const { key } = (await charter.json('keys', 'create', '--name', 'load', '--scopes', scopes)).answer;
  const operations: Operation[] = [];
  let server: Running = await started(charter, settings);
  const places = await meetingPlaces({ url: server.url, key }, 5);

  const reconcile = async (sent: readonly Operation[] = operations) => {
    await expectWhole(charter, operations);
    await askAgain({ url: server.url, key }, sent);
    await expectWhole(charter, operations);
  };
  const rise: Life['rise'] = async (isUp) => {
    server = await started(charter, settings, isUp);
    if (!isUp) expect(server.readyAfter).toBeLessThan(10_000);
  };
  const die = async () => {
    const sent: Operation[] = [];
    const load = askUntilKilled({ url: server.url, key }, places, sent);
    // on a busy machine, the server may need more than 100 ms for the first answer
    const until = Promise.race([load, enoughIn(sent)]);
    await pause(randomInt(100, 700));
    await until;
    await server.kill();
    await load;
    operations.push(...sent);
    return sent;
  };
  const dieAndRise = async () => {
    const sent = await die();
    await rise();
    await reconcile(sent);
    await expectEqualReadModel(charter);
  };
  return {
    charter,
    operations,
    server: () => server,
    key,
    during: async (work) => {
      const sent: Operation[] = [];
      await askDuring({ url: server.url, key }, places, work(sent), sent);
      operations.push(...sent);
      return sent;
    },
    reconcile: () => reconcile(),
    restart: async () => {
      await server.kill();
      await rise();
      await reconcile();
    },
    die,
    dieAndRise,
    rise,
    settle: () => expectEqualReadModel(charter, 'complete'),
    stop: () => server.kill(),
    end: async () => {
      await server.kill();
      charter.remove();
    },
  };
}

/** Waits until enough commands were acknowledged and enough were refused. */
async function enoughIn(operations: readonly Operation[]): Promise<void> {
  const count = (wanted: Operation['outcome']) => operations.filter(({ outcome }) => outcome === wanted).length;
  while (count('acknowledged') < 50 || count('refused') < 5) await pause(20);
}

/**
 * Repeats the commands that have an idempotency key and an unknown outcome. After this, each of these commands was
 * executed once or refused.
 */
async function askAgain(asking: Parameters<typeof ask>[0], operations: readonly Operation[]): Promise<void> {
  const unanswered = operations.filter(({ outcome, request }) => outcome === 'unknown' && request.key !== undefined);
  const open = [...unanswered];
  const caller = async () => {
    for (let operation = open.pop(); operation; operation = open.pop()) await ask(asking, operation);
  };
  await Promise.all(Array.from({ length: 32 }, caller));
  expect(unanswered.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
}
