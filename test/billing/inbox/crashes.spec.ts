import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripeFacts } from '@charter/billing';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { MemoryLog } from '@charter/event-log';
import { organizationDecider, organizationStream } from '@charter/organization';
import { billingService } from '@charter/application';
import { type Item, type SubscriptionFields, message } from '../stripe/stripe-messages';

const acme = '0a5e0a11-0000-4000-8000-000000000001';
const stream = organizationStream(acme);
const catalogue = loadCatalogue();
const reading = { prices: catalogue, countsTests: false };
const now = Date.parse('2025-12-31T00:00:00.000Z');

const items: Item[] = [
  { id: 'si_plan', product: 'charter-second-teams' },
  { id: 'si_users', product: 'charter-additional-user', quantity: 2 },
  { id: 'si_feedback', product: 'charter-feedback' },
];
const fields = (status: SubscriptionFields['status'], sold: readonly Item[]): SubscriptionFields => ({
  id: 'sub_1',
  customer: 'cus_1',
  status,
  items: sold,
});
const messages = [
  message('evt_1', 'created', fields('active', items), 0),
  message('evt_2', 'updated', fields('active', items.slice(0, 2)), 60),
  message('evt_3', 'deleted', fields('canceled', items.slice(0, 2)), 120),
];

class Crashed extends Error {}

/**
 * Simulates a crash. The points before and after each call of a store are numbered. The process crashes at the point
 * with this number, and makes no later call.
 */
function crashingAt(point: number) {
  let calls = 0;
  let isCrashed = false;
  const callOrCrash = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (isCrashed) throw new Crashed();
    calls += 1;
    if (calls === point) isCrashed = true;
    if (isCrashed) throw new Crashed();
    const answer = await work();
    calls += 1;
    if (calls === point) isCrashed = true;
    if (isCrashed) throw new Crashed();
    return answer;
  };
  return { callOrCrash, calls: () => calls };
}

describe('K6, simulated without child processes: Process that crashes while it applies a message', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-crashes-'));
  const open: Database[] = [];
  afterAll(async () => {
    for (const database of open) await database.close();
    rmSync(folder, { recursive: true });
  });

  /** Creates the stores of an organization with a linked customer. `start` simulates a new process on these stores. */
  async function storesAndProcesses() {
    const database = await openDatabase({ file: join(folder, `${randomUUID()}.db`) });
    open.push(database);
    const log = new MemoryLog();
    const start = ({ callOrCrash }: ReturnType<typeof crashingAt>) => {
      const organizations = aggregates(log, organizationDecider(catalogue));
      const all = Object.entries(database.inbox) as [string, Call][];
      const inbox = Object.fromEntries(
        all.map(([name, call]) => [name, (...given: never[]) => callOrCrash(() => call(...given))]),
      ) as unknown as Database['inbox'];
      return billingService({
        database: { ...database, inbox },
        organizations,
        reading,
        execute: (organization, command, by) =>
          callOrCrash(() => organizations.execute(organizationStream(organization), command, by)),
        now: () => now,
        alarm: () => undefined,
      });
    };
    const actor = { kind: 'account', id: acme, powers: ['operator'] } as const;
    const by = { actor, at: '2025-01-01T00:00:00.000Z', command: acme, correlation: acme, causation: acme };
    const { execute } = aggregates(log, organizationDecider(catalogue));
    await execute(stream, { type: 'FoundOrganization', data: { name: 'Acme' } }, by);
    await database.customers.claim('stripe', 'cus_1', acme, now);
    const events = async () => {
      const found = [];
      for await (const { type, data } of log.readStream(stream)) found.push({ type, data });
      return found;
    };
    return { start, events, inbox: database.inbox };
  }
  type Call = (...given: never[]) => Promise<unknown>;
  const take = (billing: ReturnType<Awaited<ReturnType<typeof storesAndProcesses>>['start']>, event: object) =>
    billing.take(stripeFacts(event, reading)!, JSON.stringify(event));

  it('loses nothing: the next process or a repeated delivery applies the message, with the same events as without a crash', async () => {
    const undisturbed = await storesAndProcesses();
    const neverCrashing = crashingAt(Infinity);
    for (const event of messages) await take(undisturbed.start(neverCrashing), event);
    const truth = await undisturbed.events();
    expect(truth.map(({ type }) => type)).toContain('AddOnCancelled');
    expect(neverCrashing.calls()).toBeGreaterThan(20);

    for (let point = 1; point <= neverCrashing.calls(); point += 1) {
      const { start, events, inbox } = await storesAndProcesses();
      const alive = crashingAt(Infinity);
      let left = point;
      for (const event of messages) {
        const crashing = crashingAt(left);
        const hasCrashed = await take(start(crashing), event).then(
          () => false,
          (error: unknown) => error instanceof Crashed,
        );
        left -= crashing.calls();
        const survivor = start(alive);
        if (hasCrashed && point % 2) await survivor.applyDue(() => false);
        await take(survivor, event); // the provider sends the same message again
      }
      expect({ point, events: await events() }).toEqual({ point, events: truth });
      expect(await inbox.countOpen()).toMatchObject({ received: 0, quarantined: 0 });
    }
  });
});
