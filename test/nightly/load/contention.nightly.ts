import { Agent } from 'node:http';
import type { StoredEvent } from '@charter/event-log';
import { ask, type Asking, type Operation, meetingPlaces, memberAtOnce, removal } from '../../crash/callers';
import { send } from '../../support/requests/http';
import { isDone as isAnswered, load, took } from './arrival-load';
import { embedded, type Deployment, twoProcesses } from './deployments';
import { times } from '../length';
import { median } from '../timing/mann-whitney';

const SECONDS = times(6, 60);
const CLIENTS = 20;
const WRITERS = 50;
/** The maximum number of members (seats), which is lower than the number of clients. */
const SEATS = 8;

const path = (id: string, rest = '') => `/api/v1/organizations/${id}${rest}`;
const none = (operations: readonly Operation[], isOne: (operation: Operation) => boolean) =>
  expect(operations.filter(isOne).slice(0, 3)).toEqual([]);
const isDone = ({ outcome }: Operation) => outcome === 'acknowledged';

/**
 * Each client adds up to three members, or fewer if no seat is free, removes them, and repeats this. Each client sends
 * all its requests to the same address. The clients stop after `SECONDS`. On a slow disk, a client may not have
 * succeeded by then. In this case all clients continue until each has succeeded once, for at most ten times `SECONDS`.
 */
async function addAndRemove(
  { urls, key }: Deployment,
  place: string,
  clients: number,
): Promise<readonly (readonly Operation[])[]> {
  const begun = performance.now();
  const successful = new Set<number>();
  const isOver = () => {
    const seconds = (performance.now() - begun) / 1_000;
    return seconds >= SECONDS && (successful.size === clients || seconds >= SECONDS * 10);
  };
  const agent = new Agent({ keepAlive: true });
  const client = async (index: number) => {
    const asking: Asking = { url: urls[index % urls.length]!, key };
    const operations: Operation[] = [];
    const sendOperation = async (operation: Operation) => {
      operations.push(operation);
      await ask(asking, operation, agent);
      if (isDone(operation)) successful.add(index);
      return isDone(operation);
    };
    while (!isOver()) {
      const mine: Operation[] = [];
      for (
        let operation = memberAtOnce(place);
        mine.length < 3 && (await sendOperation(operation));
        operation = memberAtOnce(place)
      )
        mine.push(operation);
      for (const operation of mine) await sendOperation(removal(operation));
    }
    return operations;
  };
  const all = await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  agent.destroy();
  return all;
}

describe.each([
  ['on the embedded stores', embedded],
  ['two processes on servers', twoProcesses],
])('%s', (_, opened) => {
  let ground: Deployment;
  let place: string;
  beforeAll(async () => void (ground = await opened()), 120_000);
  afterAll(() => ground.end(), 60_000);
  beforeEach(async () => {
    const asking = { url: ground.urls[0]!, key: ground.key };
    [place] = (await meetingPlaces(asking, 1)) as [string];
    const limited = await send(`${asking.url}${path(place, '/limits')}`, 'PUT', {
      key: asking.key,
      body: { users: SEATS },
    });
    expect(limited.status).toBe(200);
  });

  it(`M7: ${CLIENTS} clients add and remove members without a pause, and the number of members exceeds the limit at no revision`, async () => {
    const operations = (await addAndRemove(ground, place, CLIENTS)).flat();
    none(operations, ({ outcome }) => outcome === 'odd' || outcome === 'unknown');
    await ground.expectWhole(operations);
    const at = membersAt(await ground.eventsOf(place));
    expect(Math.max(...at)).toBe(SEATS); // the members have reached the limit, but have not exceeded it
    const added = operations.filter((operation) => isDone(operation) && operation.request.method === 'POST').length;
    const removed = operations.filter((operation) => isDone(operation) && operation.request.method === 'DELETE').length;
    const last = operations.filter(isDone).reduce((most, { revision }) => Math.max(most, revision!), 0);
    const { body } = await send(`${ground.urls[0]}${path(place, `?atLeast=${last}`)}`, 'GET', { key: ground.key });
    expect([at.at(-1), body.members.length]).toEqual([added - removed, added - removed]);
    expect(removed).toBeGreaterThan(20);
  });

  it(`M8: ${WRITERS} writers on one stream get at least 99 % of their outcomes, a success or the status 409, within two seconds`, async () => {
    const each = await addAndRemove(ground, place, WRITERS);
    const operations = each.flat();
    none(operations, ({ outcome }) => outcome === 'odd' || outcome === 'unknown');
    none(operations, ({ status }) => ![200, 201, 409].includes(status!));
    const slow = operations.filter((operation) => operation.took! > 2_000).length;
    process.stdout.write(`M8: ${operations.length} answers, ${slow} after more than two seconds\n`);
    expect(slow / operations.length).toBeLessThan(0.01);
    expect(each.filter((ofOne) => ofOne.some(isDone)).length).toBe(WRITERS); // each writer succeeds at least once
    await ground.expectWhole(operations);
  });
});

/** The number of members at each revision. */
function membersAt(events: readonly StoredEvent[]): readonly number[] {
  let members = 0;
  return events.map(({ type }) => (members += type === 'MemberAdded' ? 1 : type === 'MemberRemoved' ? -1 : 0));
}

it(`M9: ${WRITERS} writers on one stream delay requests to other streams hardly more than as many writers on separate streams`, async () => {
  const { urls, key, end } = await embedded();
  try {
    const asking = { url: urls[0]!, key };
    /** The response times of 100 other streams while the writers write to this number of streams; 0: no writers. */
    const p95 = async (streams: number, seconds: number) => {
      const [crowded, others] = [await meetingPlaces(asking, streams), await meetingPlaces(asking, 100)];
      const crowd =
        streams > 0 ? load({ urls, key, places: crowded, seconds: seconds + 1, callers: WRITERS }) : undefined;
      const { requests } = await load({ urls, key, places: others, seconds, rate: 100 });
      await crowd;
      expect(requests.filter((one) => !isAnswered(one))).toEqual([]);
      return took(requests, 0.95);
    };
    await p95(WRITERS, 2); // warms up before the measurement
    const figures: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < times(3, 10); round += 1) {
      figures[0].push(await p95(WRITERS, times(2, 15)));
      figures[1].push(await p95(1, times(2, 15)));
      figures[2].push(await p95(0, times(2, 15)));
    }
    const [before, meanwhile, alone] = figures.map(median) as [number, number, number];
    const [separate, single, quiet] = [before, meanwhile, alone].map((ms) => `${ms.toFixed(1)} ms`);
    process.stdout.write(`M9: p95 of others ${separate}, meanwhile ${single}, without writers ${quiet}\n`);
    // the short run (without LONG=1) has a higher limit, because other work uses the machine
    expect(meanwhile).toBeLessThan(before * times(3, 1.2));
  } finally {
    await end();
  }
});
