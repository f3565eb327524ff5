import type { Recorded } from '@charter/decider';
import type { OrganizationEvent } from '@charter/organization';
import fc from 'fast-check';
import { longLife } from '../../../../../libs/organization/src/testing/any-history.testing';
import { founded } from '../../../../../libs/organization/src/testing/organization.testing';
import { recordedAt } from '../../../../../libs/organization-view/src/folded.testing';
import { BLOCK_STEPS } from './block-size';
import { type Blocks, createBlocks } from './blocks';
import { answersAt, stepsFrom } from '../../../../../test/history/recorded-steps';

/** Blocks of steps over this history, and the first revisions of the blocks that were requested. */
function blocksOver(events: readonly Recorded<OrganizationEvent>[]) {
  const requested: number[] = [];
  const blocks = createBlocks((from) => {
    requested.push(from);
    return Promise.resolve(stepsFrom(events, from));
  });
  return { blocks, requested };
}
const seen = async (blocks: Blocks, revision: number) => {
  await blocks.want(revision);
  return blocks.at(revision);
};

/** A history that renames the organization this number of times. */
const renamings = (count: number) =>
  recordedAt(
    Array.from({ length: count }, (_, index) => [
      new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      index === 0 ? founded : { type: 'OrganizationRenamed', data: { name: `Name ${index}` } },
    ]),
  );

describe('Blocks of steps', () => {
  it("lead to the same document and entitlements as the service's answers, at random revisions in a random order", async () => {
    await fc.assert(
      fc.asyncProperty(longLife, fc.array(fc.nat(), { minLength: 30, maxLength: 30 }), async ({ events }, picks) => {
        const { blocks, requested } = blocksOver(events);
        for (const pick of picks) {
          const revision = pick % events.length;
          expect(await seen(blocks, revision)).toEqual(answersAt(events, revision));
        }
        expect(requested).toEqual([0]);
      }),
      { numRuns: 15 },
    );
  });

  it('contain 200 steps each, and are requested once, even if several visits need the same block at the same time', async () => {
    const { blocks, requested } = blocksOver(renamings(1_000));
    expect(blocks.at(450)).toBeUndefined();
    await Promise.all([450, 451, 599].map((revision) => blocks.want(revision)));
    expect(requested).toEqual([400]);
    for (let revision = 0; revision < 1_000; revision += 1) await seen(blocks, revision);
    expect(requested).toEqual([400, 0, 200, 600, 800]);
    expect(blocks.at(999)?.document['name']).toBe('Name 999');
    expect(blocks.step(450)).toMatchObject({ revision: 450, type: 'OrganizationRenamed' });
  });

  it('load at most two at a time; blocks for revisions that a person has left already are not requested', async () => {
    const [events, ends] = [renamings(2_000), new Map<number, () => void>()];
    const loaded: number[] = [];
    const blocks = createBlocks(
      (from) => new Promise((resolve) => ends.set(from, () => resolve(stepsFrom(events, from)))),
      () => loaded.push(ends.size),
    );
    void blocks.want(1_900, 1_700);
    for (const revision of [1_500, 1_300, 1_100]) void blocks.want(revision, revision - BLOCK_STEPS);
    expect([...ends.keys()]).toEqual([1_800, 1_600]);
    ends.get(1_800)!();
    ends.get(1_600)!();
    await blocks.want(1_100, 900);
    expect([...ends.keys()]).toEqual([1_800, 1_600, 1_000, 800]);
  });

  it('return the same objects for unchanged parts of the document, also in the next block and after a long move', async () => {
    const { blocks } = blocksOver(renamings(1_000));
    for (const revision of [100, 900]) await blocks.want(revision);
    await blocks.want(300);
    const { entitlements, document } = blocks.at(100)!;
    for (const revision of [101, 260, 900]) {
      const next = blocks.at(revision)!;
      expect(next.entitlements['features']).toBe(entitlements['features']);
      expect(next.document['members']).toBe(document['members']);
    }
    expect(blocks.at(900)!.document['name']).toBe('Name 900');
  });

  it('stay in memory if they are among the 12 blocks that were used last', async () => {
    const { blocks, requested } = blocksOver(renamings(2_700));
    for (let from = 0; from < 2_600; from += BLOCK_STEPS) await seen(blocks, from);
    expect(blocks.at(200)).toBeDefined();
    expect(blocks.at(0)).toBeUndefined();
    expect(requested).toHaveLength(13);
  });

  it('are requested again when the history has new events, or when a request has failed', async () => {
    let events = renamings(5);
    const failures = [new Error('offline')];
    const blocks = createBlocks((from) => {
      const failure = failures.pop();
      return failure ? Promise.reject(failure) : Promise.resolve(stepsFrom(events, from));
    });
    await expect(blocks.want(4)).rejects.toThrow('offline');
    expect((await seen(blocks, 4))?.document['name']).toBe('Name 4');
    events = renamings(8);
    expect(blocks.at(7)).toBeUndefined();
    expect((await seen(blocks, 7))?.document['name']).toBe('Name 7');
  });
});
