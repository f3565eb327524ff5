import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../cli/command-line';
import { ask, askDuring, askUntilKilled, type Deed, meetingPlaces } from './callers';
import { expectEqualReadModel, expectWhole } from './oracle';
import { type Running, started } from './server';

/** A server's life with many violent ends, and everything that its callers were told in it. */
export type Life = Readonly<{
  charter: CommandLine;
  deeds: readonly Deed[];
  /** The one that lives now, and a key to it. */
  server: () => Running;
  key: string;
  /** Callers ask without a pause while this goes on; it sees what they ask. Answers with what they asked for in that time. */
  during: (work: (asked: readonly Deed[]) => Promise<unknown>) => Promise<readonly Deed[]>;
  /** Whoever was told that it may have happened asks again, and is told what became of it; oracle R before and after. */
  reconcile: () => Promise<void>;
  /** `kill -9`, a new start, and the same. */
  restart: () => Promise<void>;
  /** Load, `kill -9` in the middle of it, a new start, and oracle R. */
  dieAndRise: () => Promise<void>;
  /** Once the read model has seen everything, it equals the replay. */
  settle: () => Promise<void>;
  /** A new start after `stop`. */
  rise: (isUp?: (url: string) => Promise<boolean>) => Promise<void>;
  /** The last death; the stores stay. */
  stop: () => Promise<void>;
  /** The last death, and nothing stays. */
  end: () => Promise<void>;
}>;

/** @param charter where its stores lie, a new folder unless said otherwise; it is removed at the end */
export async function begunLife(
  settings: Readonly<Record<string, string>> = {},
  charter: CommandLine = new CommandLine(),
): Promise<Life> {
  const scopes = 'organizations:read,organizations:write,organizations:operate';
  const { key } = (await charter.json('keys', 'create', '--name', 'load', '--scopes', scopes)).answer;
  const deeds: Deed[] = [];
  let server: Running = await started(charter, settings);
  const places = await meetingPlaces({ url: server.url, key }, 5);

  const reconcile = async (asked: readonly Deed[] = deeds) => {
    await expectWhole(charter, deeds);
    await askAgain({ url: server.url, key }, asked);
    await expectWhole(charter, deeds);
  };
  const rise: Life['rise'] = async (isUp) => {
    server = await started(charter, settings, isUp);
    if (!isUp) expect(server.readyAfter).toBeLessThan(10_000);
  };
  const dieAndRise = async () => {
    const load = askUntilKilled({ url: server.url, key }, places);
    await pause(randomInt(100, 700));
    await server.kill();
    const asked = await load;
    deeds.push(...asked);
    await rise();
    await reconcile(asked);
    await expectEqualReadModel(charter);
  };
  return {
    charter,
    deeds,
    server: () => server,
    key,
    during: async (work) => {
      const asked: Deed[] = [];
      await askDuring({ url: server.url, key }, places, work(asked), asked);
      deeds.push(...asked);
      return asked;
    },
    reconcile: () => reconcile(),
    restart: async () => {
      await server.kill();
      await rise();
      await reconcile();
    },
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

/** Whoever got no answer and has a key may ask again: it has happened once by then, or is refused. */
async function askAgain(asking: Parameters<typeof ask>[0], deeds: readonly Deed[]): Promise<void> {
  const unanswered = deeds.filter(({ outcome, request }) => outcome === 'unknown' && request.key !== undefined);
  const open = [...unanswered];
  const caller = async () => {
    for (let deed = open.pop(); deed; deed = open.pop()) await ask(asking, deed);
  };
  await Promise.all(Array.from({ length: 32 }, caller));
  expect(unanswered.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
}
