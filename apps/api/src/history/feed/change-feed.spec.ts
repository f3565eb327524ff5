import { EMPTY_LOG_POSITION, type StoredEvent } from '@charter/event-log';
import { Refused } from '@charter/aggregates';
import { refuse } from '@charter/decider';
import { visibleChanges } from './change-feed';

const stored = (revision: number): StoredEvent => ({
  id: `event-${revision}`,
  type: 'OrganizationRenamed',
  stream: 'organization-1',
  revision: BigInt(revision),
  position: EMPTY_LOG_POSITION,
  data: { name: `Name ${revision}` },
  metadata: {},
  created: new Date(0),
});

describe('A long read of the change feed', () => {
  afterEach(() => jest.restoreAllMocks());

  it('checks the permission every half second, and ends when the caller has lost it', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    /** Yields an event every 300 milliseconds. */
    const source = async function* () {
      for (let revision = 0; ; revision += 1) {
        yield await Promise.resolve(stored(revision));
        now += 300;
      }
    };
    const lost = new Refused(refuse('not-allowed', 'The key was revoked.'));
    const sight = {
      organizations: undefined,
      sees: () => Promise.resolve(true),
      renew: jest.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(lost),
    };
    const log = { identity: () => Promise.resolve('store') };
    const sent: number[] = [];
    const read = async () => {
      for await (const { revision } of visibleChanges(log, source, undefined, sight)) {
        sent.push(revision);
        if (sent.length === 10) break;
      }
    };
    await expect(read()).rejects.toBe(lost);
    expect(sent).toEqual([0, 1, 2, 3]);
  });
});
