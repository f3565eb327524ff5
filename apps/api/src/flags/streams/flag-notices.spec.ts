import { randomUUID } from 'node:crypto';
import type { FlagSubject } from '@charter/organization-view';
import { foldedAcme } from '../../../../../libs/organization-view/src/folded.testing';
import { createFlagNotices } from './flag-notices';

type Parts = Parameters<typeof createFlagNotices>;
const subject = { kind: 'organization', organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90' } as const;

/** A reader whose consumers the spec calls. */
function countedReader() {
  const follow = jest.fn<ReturnType<Parts[1]['follow']>, Parameters<Parts[1]['follow']>>();
  const leave = jest.fn();
  follow.mockResolvedValue({ leave });
  return { follow, leave };
}
/** The notices of a read model without documents. */
function notices(reader: Parts[1], revisions: Readonly<{ revisionSync?: () => number }> = {}) {
  const [read, clock] = [jest.fn<Promise<unknown>, []>().mockResolvedValue(undefined), { now: 0 }];
  const settings = { publicUrl: 'https://charter.example' };
  const parts = { view: { get: read, ...revisions }, settings, now: () => clock.now };
  return { read, clock, ...createFlagNotices(parts as unknown as Parts[0], reader, () => undefined) };
}
/** A client that remains connected, because it does not read. */
const client = (its: FlagSubject = subject) => {
  const stream = { send: jest.fn(), isAllowed: async () => true, end: jest.fn(), ended: new Promise<void>(() => {}) };
  return { stream, subject: its, seen: undefined, isReconnect: false };
};
/** One client for each of so many members of the organization. */
function clientsOf(count: number) {
  const members = Array.from({ length: count }, () => randomUUID());
  const added = members.map((member) => ({ type: 'MemberAdded', data: { member, role: 'member' } }) as const);
  const clients = members.map((user) => client({ kind: 'user', organization: subject.organization, user }));
  return { members, added, clients };
}

describe('The notices of flags', () => {
  it('leave the reader if they cannot read the flags at the end of an epoch, so that no reader collects consumers', async () => {
    const reader = countedReader();
    const { listen, read, clock } = notices(reader);
    const first = client();
    const { leave } = await listen(first);
    read.mockRejectedValue(new Error('The store does not answer.'));
    const ended = new Promise<void>((resolve) => first.stream.end.mockImplementation(() => resolve()));
    clock.now = 90 * 60_000;
    await ended;
    await new Promise(setImmediate);
    expect([reader.follow.mock.calls.length, reader.leave.mock.calls.length]).toEqual([1, 1]);
    leave();
  });

  it('begin again after a failed begin, while a client of the ended reader is still connected', async () => {
    const reader = countedReader();
    const { listen } = notices(reader);
    const { leave } = await listen(client());
    reader.follow.mock.calls[0]![0].end();
    reader.follow.mockRejectedValueOnce(new Error('The log does not answer.'));
    await expect(listen(client())).rejects.toThrow('The log does not answer.');
    const last = await listen(client());
    expect(reader.follow).toHaveBeenCalledTimes(3);
    last.leave();
    leave();
  });

  it('are spread over two seconds if a change concerns more than 200 clients of different subjects', async () => {
    const { organization } = subject;
    const reader = countedReader();
    const { listen, read } = notices(reader);
    const { added, clients } = clientsOf(250);
    read.mockResolvedValue(foldedAcme(...added));
    const leaves = await Promise.all(clients.map(listen));
    const noticed = () =>
      clients.filter(({ stream }) => stream.send.mock.calls.flat().join('').includes('r251')).length;

    read.mockResolvedValue(foldedAcme(...added, { type: 'ProductEnabled', data: {} }));
    await reader.follow.mock.calls[0]![0].take({
      changes: [{ organization, events: [] }],
      before: undefined,
      after: '',
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(noticed()).toBeGreaterThan(0);
    expect(noticed()).toBeLessThan(50);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(noticed()).toBe(250);
    for (const { leave } of leaves) leave();
  });

  it('never ask a client for an older revision than its last notice, although they are spread', async () => {
    const { organization } = subject;
    const reader = countedReader();
    const { listen, read } = notices(reader);
    const { members, added, clients } = clientsOf(250);
    read.mockResolvedValue(foldedAcme(...added));
    const leaves = await Promise.all(clients.map(listen));
    const change = { changes: [{ organization, events: [] }], before: undefined, after: '' };
    const all = [...added, { type: 'ProductEnabled', data: {} }] as const;
    read.mockResolvedValue(foldedAcme(...all));
    await reader.follow.mock.calls[0]![0].take(change);
    const last = { member: members.at(-1)!, role: 'admin' } as const;
    read.mockResolvedValue(foldedAcme(...all, { type: 'MemberRoleChanged', data: last }));
    await reader.follow.mock.calls[0]![0].take(change);
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    const sent = clients.at(-1)!.stream.send.mock.calls.flat().join('');
    expect(sent.match(/r25\d/g)).toEqual(['r252']);
    for (const { leave } of leaves) leave();
  });

  it('need one read of the document for all subjects of an organization, and give other requests turns', async () => {
    const { organization } = subject;
    const reader = countedReader();
    const { listen, read } = notices(reader);
    const { added, clients } = clientsOf(120);
    read.mockResolvedValue(foldedAcme(...added));
    const leaves = await Promise.all(clients.map(listen));

    read.mockClear().mockResolvedValue(foldedAcme(...added, { type: 'ProductEnabled', data: {} }));
    const change = { changes: [{ organization, events: [] }], before: undefined, after: '' };
    let turns = 0;
    const taken = reader.follow.mock.calls[0]![0].take(change).then(() => 'taken');
    while ((await Promise.race([taken, new Promise(setImmediate)])) !== 'taken') turns += 1;
    expect({ reads: read.mock.calls.length, turns }).toEqual({ reads: 1, turns: 3 });
    for (const { leave } of leaves) leave();
  });

  it('need another read of the document for a new client only if the revision has changed', async () => {
    const revisionSync = jest.fn(() => 0);
    const { listen, read } = notices(countedReader(), { revisionSync });
    read.mockResolvedValue(foldedAcme());
    const first = await listen(client());
    const second = await listen(client());
    expect(read).toHaveBeenCalledTimes(1);
    revisionSync.mockReturnValue(1);
    read.mockResolvedValue(foldedAcme({ type: 'OrganizationRenamed', data: { name: 'Acme Oy' } }));
    const third = await listen(client());
    expect(read).toHaveBeenCalledTimes(2);
    for (const { leave } of [first, second, third]) leave();
  });

  it('are sent after two events that change the flags and change them back, but not after one event without a change', async () => {
    const { organization } = subject;
    const reader = countedReader();
    const { listen, read } = notices(reader);
    const { stream, ...its } = client();
    const member = randomUUID();
    const there = { type: 'MemberAdded', data: { member, role: 'member' } } as const;
    const gone = { type: 'MemberRemoved', data: { member } } as const;
    const renamed = { type: 'OrganizationRenamed', data: { name: 'Acme Oy' } } as const;
    read.mockResolvedValue(foldedAcme());
    const { leave } = await listen({ stream, ...its });
    const sentAfter = async (...events: Parameters<typeof foldedAcme>) => {
      stream.send.mockClear();
      read.mockResolvedValue(foldedAcme(...events));
      await reader.follow.mock.calls[0]![0].take({ changes: [{ organization, events: [] }], before: '', after: '' });
      await new Promise(setImmediate);
      return stream.send.mock.calls.flat().join('');
    };
    expect(await sentAfter(there, gone)).toContain('"etag":"r2"');
    read.mockResolvedValue(foldedAcme());
    expect(await sentAfter(renamed)).toBe('');
    expect(await sentAfter(renamed, there, gone)).toContain('"etag":"r3"');
    expect(await sentAfter(renamed, there, gone, renamed)).toBe('');
    leave();
  });

  it('are sent once after an override that began and ended before the process read the flags', async () => {
    const reader = countedReader();
    const { listen, read, clock } = notices(reader);
    const { stream, ...its } = client();
    read.mockResolvedValue(foldedAcme());
    const { leave } = await listen({ stream, ...its });
    clock.now = Date.parse('2026-11-30T00:00:00.000Z');
    const overridden = {
      type: 'HardLimitsOverridden',
      data: { reason: '', until: '2026-11-29T00:00:00.000Z' },
    } as const;
    const renamed = { type: 'OrganizationRenamed', data: { name: 'Acme Oy' } } as const;
    const { organization } = subject;
    const sentFor = async (document: ReturnType<typeof foldedAcme>) => {
      stream.send.mockClear();
      read.mockResolvedValue(document);
      await reader.follow.mock.calls[0]![0].take({ changes: [{ organization, events: [] }], before: '', after: '' });
      await new Promise(setImmediate);
      return stream.send.mock.calls.flat().join('');
    };
    expect(await sentFor(foldedAcme(overridden))).toContain('"etag":"r1"');
    expect(await sentFor({ ...foldedAcme(overridden, renamed), at: '2026-11-29T12:00:00.000Z' })).toBe('');
    leave();
  });

  it('are sent to a new client if the flags change and change back while the process begins to follow', async () => {
    const reader = countedReader();
    const { listen, read } = notices(reader);
    const begun = Promise.withResolvers<{ leave: () => void }>();
    reader.follow.mockReturnValueOnce(begun.promise);
    const member = randomUUID();
    read.mockResolvedValue(foldedAcme());
    const { stream, ...its } = client();
    const listening = listen({ stream, ...its });
    while (reader.follow.mock.calls.length === 0) await new Promise(setImmediate);
    const there = { type: 'MemberAdded', data: { member, role: 'member' } } as const;
    read.mockResolvedValue(foldedAcme(there, { type: 'MemberRemoved', data: { member } }));
    begun.resolve({ leave: () => undefined });
    const { leave } = await listening;
    expect(stream.send.mock.calls.flat().join('')).toContain('"etag":"r2"');
    leave();
  });

  it('are sent for a change back, even if the end of an epoch still reads the old flags during the first change', async () => {
    const { organization } = subject;
    const reader = countedReader();
    const { listen, read, clock } = notices(reader);
    const member = randomUUID();
    const added = { type: 'MemberAdded', data: { member, role: 'member' } } as const;
    const slow = Promise.withResolvers<unknown>();
    const { stream, ...its } = client();
    read.mockResolvedValue(foldedAcme());
    const { leave } = await listen({ stream, ...its });
    const change = () =>
      reader.follow.mock.calls[0]![0].take({ changes: [{ organization, events: [] }], before: undefined, after: '' });

    const before = read.mock.calls.length;
    read.mockReturnValueOnce(slow.promise);
    clock.now = 90 * 60_000;
    while (read.mock.calls.length === before) await new Promise(setImmediate); // the end of the epoch reads the flags
    read.mockResolvedValue(foldedAcme(added));
    const changed = change();
    await new Promise(setImmediate);
    slow.resolve(foldedAcme());
    await changed;
    await new Promise(setImmediate);
    read.mockResolvedValue(foldedAcme(added, { type: 'MemberRemoved', data: { member } }));
    await change();
    await new Promise(setImmediate);
    expect(stream.send.mock.calls.flat().join('')).toContain('"etag":"r2"');
    leave();
  });
});
