import { randomUUID } from 'node:crypto';
import { id, organizationOf, replaying } from './long-organization.testing';
import { createValueReader } from './value-reader';

const name = { id, product: 'pulse', path: ['name'] };

async function renamed(events: number) {
  const made = await organizationOf(events);
  return { ...made, reader: createValueReader(made) };
}
const numbers = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index);

describe('Value reader', () => {
  it.each(['oldest', 'newest'] as const)('reads every change once, page by page, the %s first', async (order) => {
    const { reader } = await renamed(2_600);
    const seen: number[] = [];
    for (let beyond: number | null | undefined; beyond !== null;) {
      const page: Awaited<ReturnType<typeof reader.read>> = await reader.read(name, { order, beyond, limit: 90 });
      seen.push(...page!.changes.map(({ revision }) => revision));
      beyond = page!.next;
    }
    expect(order === 'oldest' ? seen : seen.reverse()).toEqual(numbers(2_600));
  });

  it('returns no next page after the last change, even if the page is full', async () => {
    const { reader } = await renamed(20);
    for (const order of ['oldest', 'newest'] as const) {
      expect(await reader.read(name, { order, limit: 20 })).toMatchObject({ next: null });
      expect(await reader.read(name, { order, limit: 19 })).toMatchObject({ next: order === 'oldest' ? 18 : 1 });
    }
  });

  it('finds a single change among thousands of other events, in both orders', async () => {
    const { reader, execute } = await renamed(6_000);
    await execute({ type: 'AssignPlan', data: { line: 'second', plan: 'teams' } }, 7_000);
    const plan = { ...name, path: ['plans', 'second', 'plan'] };
    for (const order of ['oldest', 'newest'] as const)
      expect((await reader.read(plan, { order, limit: 5 }))!.changes).toMatchObject([
        { revision: 6_000, after: 'teams' },
      ]);
  });

  it('reads only the newest events of a long history if an earlier state is cached', async () => {
    const { organizations, reads, reader } = await renamed(12_000);
    const first = await reader.read(name, { order: 'newest', limit: 5 });
    reads.length = 0;
    const second = await reader.read(name, { order: 'newest', beyond: first!.next!, limit: 5 });
    expect(reads).toEqual([[11_001, 994]]);
    const uncached = createValueReader(replaying(organizations));
    expect(second).toEqual(await uncached.read(name, { order: 'newest', beyond: first!.next!, limit: 5 }));
  });

  it('ends a page before its limit if the changes are large', async () => {
    const { reader, execute } = await renamed(2);
    const sites = numbers(400).map((site) => ({
      type: 'AddSite' as const,
      data: { site: randomUUID(), hostname: `a${site}.test`, name: 'x'.repeat(150) },
    }));
    for (let from = 0; from < sites.length; from += 100) await execute(sites.slice(from, from + 100), from);
    const plans = (['solo', 'teams', 'solo', 'teams'] as const).map((plan) => ({
      type: 'AssignPlan' as const,
      data: { line: 'second' as const, plan },
    }));
    for (const [index, plan] of plans.entries()) await execute(plan, 1_000 + index);
    const wanted = { ...name, path: ['sites'] };
    const [newest, oldest] = await Promise.all(
      (['newest', 'oldest'] as const).map((order) => reader.read(wanted, { order, limit: 1_000 })),
    );
    for (const page of [newest, oldest]) {
      expect(page!.next).toBe(page!.changes.at(-1)!.revision);
      expect(JSON.stringify(page!.changes).length).toBeLessThan(1_100_000);
    }
    const seen = newest!.changes.map(({ revision }) => revision);
    const rest = await reader.read(wanted, { order: 'newest', beyond: newest!.next!, limit: 1_000 });
    expect(rest!.changes[0]!.revision).toBe(seen.at(-1)! - 1);
  });

  it('returns undefined for an organization that does not exist, and stops when the caller disconnects', async () => {
    const { reader } = await renamed(5);
    expect(await reader.read({ ...name, id: randomUUID() }, { order: 'newest', limit: 5 })).toBeUndefined();
    const reason = new Error('gone');
    const read = reader.read(name, { order: 'newest', limit: 5 }, AbortSignal.abort(reason));
    await expect(read).rejects.toBe(reason);
  });
});
