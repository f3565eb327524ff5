import { type EventLog, EventStoreLog, eventStoreAddress, StoreRefused } from '@charter/event-log';
import { type Members, twoMembers } from '../facade/members';
import { subscribedTo } from './event-log/over-facade';
import { all, failureOf, family, noted, textOf } from './event-log/under-test';

// Two façades (stand-ins for EventStoreDB servers) over one log are not a cluster: they neither replicate nor elect a
// leader. These specs show that the client follows the leader, and that no event is lost or written twice.

let members: Members['all'];
let { lead, hosts }: Omit<Members, 'all'> = {} as Members;
beforeAll(async () => {
  ({ all: members, lead, hosts } = await twoMembers());
}, 60_000);

const opened = (url: string, startWithin = 5_000): Promise<EventLog> =>
  EventStoreLog.open({ address: eventStoreAddress(url), warn: () => undefined, startWithin });

describe('A client of a cluster whose leader changes', () => {
  it.each([
    ['all hosts', () => `esdb://${hosts()}?tls=false`],
    ['one host to discover the others', () => `esdb+discover://127.0.0.1:${members[0].port}?tls=false`],
    ['one host that redirects to the leader', () => `esdb://127.0.0.1:${members[0].port}?tls=false`],
  ])(
    'neither loses nor repeats an append in ten leader changes, and delivers each event within 4 s, if the address names %s',
    async (_, url) => {
      await lead(0);
      const log = await opened(url());
      const prefix = family();
      const stream = `${prefix}-1`;
      const subscription = subscribedTo(log, { after: 'start', streamPrefixes: [prefix] });
      for (let change = 0; change < 10; change += 1) {
        const began = performance.now();
        const expected = change === 0 ? 'no_stream' : BigInt(change - 1);
        await log.append(stream, [noted(change)], { expected });
        expect(await subscription.texts(1)).toEqual([change]);
        expect(performance.now() - began).toBeLessThan(4_000);
        await lead(change % 2 === 0 ? 1 : 0);
      }
      expect((await all(log.readStream(stream))).map(textOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      await subscription.end();
      await log.close();
    },
    60_000,
  );

  it('finds the next leader after the leader was killed', async () => {
    await lead(0);
    const log = await opened(`esdb://${hosts()}?tls=false`);
    const stream = family();
    await log.append(stream, [noted('before')], { expected: 'no_stream' });
    await lead(1);
    await members[0].kill();
    expect(await log.append(stream, [noted('after')], { expected: 0n })).toMatchObject({ revision: 1n });
    await members[0].restart();
    await lead(0);
    await members[1].kill();
    expect(await log.append(stream, [noted('back')], { expected: 1n })).toMatchObject({ revision: 2n });
    await members[1].restart();
    await log.close();
  }, 30_000);
});

describe('A cluster without a leader', () => {
  const settings = 'tls=false&maxDiscoverAttempts=2&discoveryInterval=50';

  it.each([
    ['one host to discover the others', () => `esdb+discover://127.0.0.1:${members[0].port}?${settings}`],
    ['all hosts', () => `esdb://${hosts()}?${settings}`],
  ])(
    'is refused at the start with a sentence that names the address and the failed search; the address names %s',
    async (_, url) => {
      const down = members.map(({ port }) => ({ port, isAlive: false }));
      for (const member of members) await member.order('set', { members: down });
      const error = await failureOf(opened(url(), 300));
      for (const member of members) await member.order('set', { members: null });
      expect(error).toBeInstanceOf(StoreRefused);
      expect((error as StoreRefused).message).toMatch(
        /^The event store at 127\.0\.0\.1:\d+.* names no member that could be used .*Failed to discover after 2 attempts/,
      );
    },
  );
});
