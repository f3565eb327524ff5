import { randomUUID } from 'node:crypto';
import { UnknownRevision } from '@charter/aggregates';
import { id, organizationOf, proxyOf, replaying, stream } from './long-organization.testing';
import { createUndoReader } from './undo-reader';

const of = { id, product: 'pulse' };

/** Founds an organization, renames it several times, and creates a reader that finds how to undo each renaming. */
async function organization(events: number, names?: string) {
  const made = await organizationOf(events, names);
  return { ...made, reader: createUndoReader(made) };
}

describe('Undo reader', () => {
  it('returns one change for thousands of events about the same value, and this change restores the original value', async () => {
    const { reader } = await organization(3_000);
    const read = await reader.read(of, { first: 1 });
    expect(read).toMatchObject({ changes: [{ part: ['name'], target: 'Acme' }], later: [] });
    expect(read!.present).toMatchObject({ revision: 2_999, state: { name: 'name 2999' } });
  });

  it('names only the newest of the later events that changed the same value', async () => {
    const { reader } = await organization(1_500);
    expect(await reader.read(of, { first: 20, last: 25 })).toMatchObject({
      changes: [],
      later: [{ path: '/name', revision: 1_499, type: 'OrganizationRenamed' }],
    });
  });

  it('starts from a cached state, and `distance` returns the number of events that a read folds', async () => {
    const { reader, reads } = await organization(3_000);
    expect(await reader.distance(id, 2_500)).toBe(3_000);
    await reader.read(of, { first: 2_500 });
    expect(await reader.distance(id, 2_500)).toBe(2_999 - 2_000);
    await reader.read(of, { first: 2_500, last: 2_500 });
    expect(reads.at(-1)).toEqual([2_001, 999]);
  });

  it('gives the changes of the new log if another log has replaced the log', async () => {
    const first = await organization(1_200);
    const second = await organization(1_200, 'other name');
    const current = { organizations: first.organizations };
    const reader = createUndoReader(replaying(proxyOf(current)));
    await reader.read(of, { first: 1_100 });
    current.organizations = second.organizations;
    expect(await reader.read(of, { first: 1_199 })).toMatchObject({ changes: [{ target: 'other name 1198' }] });
  });

  it('returns no changes for an open range directly after the last event, and refuses other ranges beyond the last event', async () => {
    const { reader } = await organization(5);
    expect(await reader.read(of, { first: 5 })).toMatchObject({ changes: [], later: [] });
    await expect(reader.read(of, { first: 6 })).rejects.toEqual(new UnknownRevision(stream, 5, 4));
    await expect(reader.read(of, { first: 4, last: 5 })).rejects.toEqual(new UnknownRevision(stream, 5, 4));
    expect(await reader.read({ ...of, id: randomUUID() }, { first: 0 })).toBeUndefined();
  });

  it('stops when the caller disconnects', async () => {
    const { reader } = await organization(300);
    const reason = new Error('gone');
    await expect(reader.read(of, { first: 1 }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
