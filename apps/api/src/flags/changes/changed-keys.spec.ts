import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { id, organizationOf, stream } from '../../../../../libs/application/src/history/long-organization.testing';
import { foldedAcme } from '../../../../../libs/organization-view/src/folded.testing';
import { changeKeys, createChangedKeys } from './changed-keys';

type Parts = Parameters<typeof createChangedKeys>[0];

const founding = [{ revision: 0n }] as unknown as readonly StoredEvent[];

describe('The comparison of entitlements', () => {
  it('finds the same keys again after a read of a later organization has failed', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    let fails = true;
    const view = {
      get: async (stream: string) => {
        if (fails && stream === organizationStream(second)) throw new Error('the tables do not answer');
        return foldedAcme();
      },
    };
    const changedKeys = createChangedKeys({ view, snapshotReplay: {}, now: () => new Date() } as unknown as Parts);
    const changes = [first, second].map((organization) => ({ organization, events: founding }));

    await expect(changedKeys(changes)).rejects.toThrow('the tables do not answer');
    fails = false;
    expect(await changedKeys(changes)).toEqual(
      [first, second].map((organization) => ({ organization, revision: 0, keys: changeKeys })),
    );
    expect(await changedKeys(changes)).toEqual([undefined, undefined]);
  });
});

describe('The keys of several events', () => {
  const plan = { type: 'AssignPlan', data: { line: 'second', plan: 'enterprise' } } as const;
  const disabled = { type: 'DisableProduct', data: {} } as const;
  const enabled = { type: 'EnableProduct', data: {} } as const;
  const rename = (name: string) => ({ type: 'RenameOrganization', data: { name } }) as const;
  const member = () => ({ type: 'AddMember', data: { member: randomUUID(), role: 'member' } }) as const;

  /** An organization with a plan, whose entitlements the comparison knows up to revision 1. */
  async function compared(first: Parameters<Awaited<ReturnType<typeof organizationOf>>['execute']>[0] = plan) {
    const { log, organizations, snapshotReplay, execute } = await organizationOf(1);
    await execute(first, 1);
    let shown = 1; // the revision that the read model contains
    const view = { get: () => organizations.replay(stream, { until: { revision: shown } }) };
    const clock = { now: Date.UTC(2026, 10, 2) };
    const changedKeys = createChangedKeys({ view, log, snapshotReplay, now: () => clock.now } as unknown as Parts);
    /** The keys of equal changes in one batch, while the read model contains the events up to `revision`. */
    const keysOfEach = async (changes: number, first: number, last: number, revision = last) => {
      shown = revision;
      const events: StoredEvent[] = [];
      for await (const event of log.readStream(stream, { from: BigInt(first), maxCount: last - first + 1 }))
        events.push(event);
      const found = await changedKeys(Array.from({ length: changes }, () => ({ organization: id, events })));
      return found.map((change) => change?.keys);
    };
    const keysOf = async (first: number, last: number, revision?: number) =>
      (await keysOfEach(1, first, last, revision))[0];
    await keysOf(0, 1);
    return { execute, keysOf, keysOfEach };
  }

  it('name a value that has changed and changed back, because a client may have read it in between', async () => {
    const { execute, keysOf } = await compared();
    await execute(disabled, 2);
    const once = await keysOf(2, 2);
    await execute(enabled, 3);
    await keysOf(3, 3);
    await execute(disabled, 4);
    await execute(enabled, 5);
    expect(once).toContain('multiSite');
    expect(await keysOf(4, 5)).toEqual(once);
  });

  it('name a value that has changed back in an event that only the read model contains', async () => {
    const { execute, keysOf } = await compared();
    await execute(disabled, 2);
    await execute(enabled, 3);
    expect(await keysOf(2, 2, 3)).toContain('multiSite');
    expect(await keysOf(3, 3)).toBeUndefined();
  });

  it('name a limit whose override has begun and ended before the comparison', async () => {
    const { execute, keysOf } = await compared({ ...plan, data: { line: 'second', plan: 'solo' } });
    const until = new Date(Date.UTC(2026, 10, 1, 0, 3)).toISOString();
    await execute({ type: 'OverrideHardLimits', data: { reason: 'a favour', until } }, 2);
    expect(await keysOf(2, 2)).toContain('users');
  });

  it('name only the changed values', async () => {
    const { execute, keysOf } = await compared();
    for (let minute = 2; minute < 22; minute += 1)
      await execute(minute % 2 ? rename(`Acme ${minute}`) : member(), minute);
    expect(await keysOf(2, 21)).toEqual(['users']);
    await execute(rename('Acme'), 22);
    await execute(rename('Acme Oy'), 23);
    expect(await keysOf(22, 23)).toBeUndefined();
  });

  it('name every key for further organizations after 20 replays in one batch', async () => {
    const { execute, keysOfEach } = await compared();
    await execute(member(), 2);
    await execute(member(), 3);
    const keys = await keysOfEach(21, 2, 3);
    expect(keys).toEqual([...Array.from({ length: 20 }, () => ['users']), changeKeys]);
  });

  it('name every key after more than 50 events', async () => {
    const { execute, keysOf } = await compared();
    for (let minute = 2; minute < 53; minute += 1) await execute(minute % 2 ? enabled : disabled, minute);
    expect(await keysOf(2, 52)).toEqual(changeKeys);
  });
});
