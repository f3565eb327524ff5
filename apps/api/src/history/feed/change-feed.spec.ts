import { EMPTY_LOG_POSITION, type EventLog, type Position, type StoredEvent } from '@charter/event-log';
import { Refused } from '@charter/aggregates';
import { refuse } from '@charter/decider';
import type { Response } from 'express';
import { ClientGone } from '../../http/admission/gate';
import { type ChangeFeed, sendChanges, visibleChanges } from './change-feed';

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
      sees: () => Promise.resolve(true),
      renew: jest.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(lost),
    };
    const log = { identity: () => Promise.resolve('store') };
    const { signal: gone } = new AbortController();
    const sent: number[] = [];
    const read = async () => {
      for await (const { revision } of visibleChanges(log, { source, after: undefined, sight, gone })) {
        sent.push(revision);
        if (sent.length === 10) break;
      }
    };
    await expect(read()).rejects.toBe(lost);
    expect(sent).toEqual([0, 1, 2, 3]);
  });

  it('ends when the client has disconnected, even if the caller sees no event', async () => {
    const gone = new AbortController();
    let read = 0;
    const source = async function* () {
      for (; read < 10; read += 1) {
        if (read === 3) gone.abort(new ClientGone());
        yield await Promise.resolve(stored(read));
      }
    };
    const sight = { sees: async () => false, renew: async () => {} };
    const log = { identity: () => Promise.resolve('store') };
    const changes = visibleChanges(log, { source, after: undefined, sight, gone: gone.signal });
    await expect(changes.next()).rejects.toBeInstanceOf(ClientGone);
    expect(read).toBe(3);
  });
});

describe('The change feed', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  /**
   * Sends a feed with one event that the caller may not see. The check of this event takes `passes` milliseconds. The
   * service begins to stop after `looks` calls of `stopping`, unless the feed ends earlier. `heads` are the results
   * of the reads of the log's end. The last result is repeated.
   */
  async function feedOf(heads: readonly Position[], looks: number, { passes = 0 } = {}) {
    const next = [...heads];
    const head = () => Promise.resolve(next.length > 1 ? next.shift()! : next[0]!);
    const log = { identity: () => Promise.resolve('store'), head } as unknown as EventLog;
    const written: string[] = [];
    const record = jest.fn(() => Promise.resolve());
    let left = looks;
    const stopping = () => {
      now += 1_000; // so the feed checks the permission and reads the log's end anew
      return (left -= 1) < 0;
    };
    const sight: ChangeFeed['sight'] = {
      sees: () => {
        now += passes;
        return Promise.resolve(false);
      },
      renew: () => Promise.resolve(),
    };
    await sendChanges({
      runtime: { log, stopping },
      response: { set: () => undefined, write: (text: string) => written.push(text) } as unknown as Response,
      source: async function* (after) {
        if (after === undefined) yield await Promise.resolve({ ...stored(0), position: FIRST });
      },
      ...{ after: undefined, sight, record, gone: new AbortController().signal },
      releaseSlotWhile: (wait) => wait,
    });
    return { written, record, looksLeft: left };
  }

  it('sends a comment after 15 seconds without a visible event; the cursor in the comment lies after the invisible events', async () => {
    const { written } = await feedOf([FIRST], 2, { passes: 15_000 });
    expect(written).toEqual([expect.stringMatching(/^retry: /), expect.stringMatching(/^id: \S+\n: still here\n\n$/)]);
  });

  it('is recorded as a further read of the history while it stays open', async () => {
    const { record } = await feedOf([FIRST], 2);
    expect(record).toHaveBeenCalled();
  });

  it('ends if an older copy has replaced the log, but continues if only a cached position was older', async () => {
    const older: Position = '4'.padStart(20, '0');
    expect((await feedOf([FIRST, older], 9)).looksLeft).toBeGreaterThan(0);
    expect((await feedOf([FIRST, older, FIRST], 4)).looksLeft).toBeLessThan(0);
  });
});

const FIRST: Position = '5'.padStart(20, '0');
