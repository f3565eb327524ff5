import { randomUUID } from 'node:crypto';
import { UnknownRevision } from '@charter/aggregates';
import { stepBase } from '@charter/organization-view';
import { id, organizationOf, proxyOf, replaying, stream } from './long-organization.testing';
import { createStepReader, STEPS_MAX } from './step-reader';

const wanted = { id, product: 'pulse' };

/** Creates an organization with this many events, and a reader of the organization's steps. */
async function organization(events: number, names?: string) {
  const made = await organizationOf(events, names);
  return { ...made, reader: createStepReader(made) };
}

describe('Step reader', () => {
  it('reads the state before the first step, and the steps up to the end of the range', async () => {
    const { organizations, reader } = await organization(12);
    const block = await reader.read(wanted, { from: 4, to: 9 });
    expect(block).toMatchObject({ from: 4, to: 9 });
    expect(block!.steps.map(({ revision }) => revision)).toEqual([5, 6, 7, 8, 9]);
    expect(block!.base).toEqual(stepBase((await organizations.stateAt(stream, { revision: 4 }))!, wanted));
    expect(await reader.read(wanted, { from: 11 })).toMatchObject({ from: 11, to: 11, steps: [] });
  });

  it('ends a block after 200 steps or after the last event', async () => {
    const { reader } = await organization(250);
    expect(await reader.read(wanted, { from: 0 })).toMatchObject({ to: STEPS_MAX });
    expect(await reader.read(wanted, { from: 200 })).toMatchObject({ to: 249 });
  });

  it('starts from the state that an earlier block has cached, and returns the same steps as without a cache', async () => {
    const { reader, reads, organizations } = await organization(900);
    for (const from of [0, 200, 400, 600]) await reader.read(wanted, { from });
    expect(reads.map(([from]) => from)).toEqual([0, 201, 401, 601]);
    const again = await reader.read(wanted, { from: 300, to: 500 });
    expect(reads.at(-1)).toEqual([201, 300]);
    const uncached = createStepReader(replaying(organizations));
    expect(again).toEqual(await uncached.read(wanted, { from: 300, to: 500 }));
    expect([reader.distance(id, 700), reader.distance(randomUUID(), 700)]).toEqual([100, 701]);
  });

  it('caches states within a long history, so that a later read folds fewer than 1,000 events before its first step', async () => {
    const { reader } = await organization(3_000);
    await reader.read(wanted, { from: 2_700 });
    expect([2_699, 1_999, 2_000, 400].map((from) => reader.distance(id, from))).toEqual([699, 999, 0, 400]);
  });

  it('gives the steps of the new log if another log has replaced the log', async () => {
    const first = await organization(600);
    await first.reader.read(wanted, { from: 200 });
    const second = await organization(600, 'other name');
    const replaced = { organizations: { ...first.organizations, ...second.organizations } };
    const current = { organizations: first.organizations };
    const reader = createStepReader(replaying(proxyOf(current)));
    await reader.read(wanted, { from: 200, to: 300 });
    current.organizations = replaced.organizations;
    const block = await reader.read(wanted, { from: 300, to: 301 });
    expect(block).toEqual(await second.reader.read(wanted, { from: 300, to: 301 }));
  });

  it('returns the state of the new log for a read without steps at the end of a cached block', async () => {
    const [first, second] = [await organization(600), await organization(600, 'other name')];
    const current = { organizations: first.organizations };
    const reader = createStepReader(replaying(proxyOf(current)));
    await reader.read(wanted, { from: 200, to: 300 });
    current.organizations = second.organizations;
    const block = await reader.read(wanted, { from: 300, to: 300 });
    expect(block).toEqual(await second.reader.read(wanted, { from: 300, to: 300 }));
  });

  it('refuses revisions after the last event, and returns undefined for an organization that does not exist', async () => {
    const { reader } = await organization(5);
    await expect(reader.read(wanted, { from: 5 })).rejects.toEqual(new UnknownRevision(stream, 5, 4));
    await expect(reader.read(wanted, { from: 2, to: 7 })).rejects.toEqual(new UnknownRevision(stream, 7, 4));
    expect(await reader.read({ ...wanted, id: randomUUID() }, { from: 0 })).toBeUndefined();
  });

  it('stops when the caller disconnects', async () => {
    const { reader } = await organization(300);
    const reason = new Error('gone');
    await expect(reader.read(wanted, { from: 0 }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
