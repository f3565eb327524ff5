import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
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
