import { randomUUID } from 'node:crypto';
import { aggregates, UnknownRevision } from '@charter/aggregates';
import { loadCatalogue } from '@charter/catalogue';
import { type EventLog, MemoryLog } from '@charter/event-log';
import { organizationDecider, organizationStream } from '@charter/organization';
import { stepBase } from '@charter/organization-view';
import { createStepReader, STEPS_MAX } from './step-reader';

const id = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const stream = organizationStream(id);
const wanted = { id, product: 'pulse' };

/** An organization with this many events, and the ranges of revisions that a reader reads from its log. */
async function organization(events: number, names = 'name') {
  const memory = new MemoryLog();
  const reads: (readonly [from: number, count: number])[] = [];
  const log = Object.create(memory, {
    readStream: {
      value: (name: string, options: { from: bigint; maxCount?: number }) => {
        if (options.maxCount !== undefined) reads.push([Number(options.from), options.maxCount]);
        return memory.readStream(name, options);
      },
    },
  }) as EventLog;
  const organizations = aggregates(log, organizationDecider(loadCatalogue()));
  const execute = (commands: Parameters<typeof organizations.execute>[1], minute: number) => {
    const command = randomUUID();
    const at = new Date(Date.UTC(2026, 10, 1) + minute * 60_000).toISOString();
    const actor = { kind: 'account', id: 'op', powers: ['operator'] } as const;
    return organizations.execute(stream, commands, { actor, at, command, correlation: command, causation: command });
  };
  await execute({ type: 'FoundOrganization', data: { name: 'Acme' } }, 0);
  for (let from = 1; from < events; from += 100)
    await execute(
      Array.from({ length: Math.min(100, events - from) }, (_, index) => ({
        type: 'RenameOrganization' as const,
        data: { name: `${names} ${from + index}` },
      })),
      from,
    );
  reads.length = 0;
  return { organizations, reads, reader: createStepReader({ organizations }) };
}

describe('Step reader', () => {
  it('reads the base, and the steps after it up to the end', async () => {
    const { organizations, reader } = await organization(12);
    const block = await reader.read(wanted, { from: 4, to: 9 });
    expect(block).toMatchObject({ from: 4, to: 9 });
    expect(block!.steps.map(({ revision }) => revision)).toEqual([5, 6, 7, 8, 9]);
    expect(block!.base).toEqual(stepBase((await organizations.stateAt(stream, { revision: 4 }))!, wanted));
    expect(await reader.read(wanted, { from: 11 })).toMatchObject({ from: 11, to: 11, steps: [] });
  });

  it('ends after 200 steps, or at the last event', async () => {
    const { reader } = await organization(250);
    expect(await reader.read(wanted, { from: 0 })).toMatchObject({ to: STEPS_MAX });
    expect(await reader.read(wanted, { from: 200 })).toMatchObject({ to: 249 });
  });

  it('continues at the end of an earlier block, and gives the same answer as without it', async () => {
    const { reader, reads, organizations } = await organization(900);
    for (const from of [0, 200, 400, 600]) await reader.read(wanted, { from });
    expect(reads.map(([from]) => from)).toEqual([0, 201, 401, 601]);
    const again = await reader.read(wanted, { from: 300, to: 500 });
    expect(reads.at(-1)).toEqual([201, 300]);
    expect(again).toEqual(await createStepReader({ organizations }).read(wanted, { from: 300, to: 500 }));
    expect([reader.distance(id, 700), reader.distance(randomUUID(), 700)]).toEqual([100, 701]);
  });

  it('caches states within a long history, so that a later read folds at most 5,000 events before its base', async () => {
    const { reader } = await organization(12_000);
    await reader.read(wanted, { from: 11_500 });
    expect([11_499, 9_999, 10_000, 4_000].map((from) => reader.distance(id, from))).toEqual([1_499, 4_999, 0, 4_000]);
  });

  it('reads from the first event if another log replaced the log', async () => {
    const first = await organization(600);
    await first.reader.read(wanted, { from: 200 });
    const second = await organization(600, 'other name');
    const replaced = { organizations: { ...first.organizations, ...second.organizations } };
    const current = { organizations: first.organizations };
    const reader = createStepReader({ organizations: proxyOf(current) });
    await reader.read(wanted, { from: 200, to: 300 });
    current.organizations = replaced.organizations;
    const block = await reader.read(wanted, { from: 300, to: 301 });
    expect(block).toEqual(await second.reader.read(wanted, { from: 300, to: 301 }));
  });

  it('refuses revisions beyond the end, and knows no steps of an organization that does not exist', async () => {
    const { reader } = await organization(5);
    await expect(reader.read(wanted, { from: 5 })).rejects.toEqual(new UnknownRevision(stream, 5, 4));
    await expect(reader.read(wanted, { from: 2, to: 7 })).rejects.toEqual(new UnknownRevision(stream, 7, 4));
    expect(await reader.read({ ...wanted, id: randomUUID() }, { from: 0 })).toBeUndefined();
  });

  it('stops when the caller has gone', async () => {
    const { reader } = await organization(300);
    const reason = new Error('gone');
    await expect(reader.read(wanted, { from: 0 }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

/** Passes each call to the current organizations. */
const proxyOf = <Part extends object>(current: { organizations: Part }): Part =>
  new Proxy({} as Part, { get: (_, name) => Reflect.get(current.organizations, name) as unknown });
