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
import { type Item, type Life, message } from '../stripe/stripe-messages';

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
const life = (status: Life['status'], sold: readonly Item[]): Life => ({
  id: 'sub_1',
  customer: 'cus_1',
  status,
  items: sold,
});
const messages = [
  message('evt_1', 'created', life('active', items), 0),
  message('evt_2', 'updated', life('active', items.slice(0, 2)), 60),
  message('evt_3', 'deleted', life('canceled', items.slice(0, 2)), 120),
];

class Died extends Error {}

/** Dies at the call of this number, before it is made or when it is done; whatever is called afterwards is never made. */
function dyingAt(point: number) {
  let calls = 0;
  let isDead = false;
  const dies = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (isDead) throw new Died();
    calls += 1;
    if (calls === point) isDead = true;
    if (isDead) throw new Died();
    const answer = await work();
    calls += 1;
    if (calls === point) isDead = true;
    if (isDead) throw new Died();
    return answer;
  };
  return { dies, calls: () => calls };
}

describe('K6, in one process: whoever applies a message dies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-dying-'));
  const open: Database[] = [];
  afterAll(async () => {
    for (const documents of open) await documents.close();
    rmSync(folder, { recursive: true });
  });

  /** An organization whose customer is linked, and what a new process over its stores is. */
  async function ground() {
    const documents = await openDatabase({ file: join(folder, `${randomUUID()}.db`) });
    open.push(documents);
    const log = new MemoryLog();
    const start = ({ dies }: ReturnType<typeof dyingAt>) => {
      const organizations = aggregates(log, organizationDecider(catalogue));
      const all = Object.entries(documents.inbox) as [string, Call][];
      const inbox = Object.fromEntries(
        all.map(([name, call]) => [name, (...asked: never[]) => dies(() => call(...asked))]),
      ) as unknown as Database['inbox'];
      return billingService({
        documents: { ...documents, inbox },
        organizations,
        reading,
        execute: (organization, command, by) =>
          dies(() => organizations.execute(organizationStream(organization), command, by)),
        now: () => now,
        alarm: () => undefined,
      });
    };
    const actor = { kind: 'account', id: acme, powers: ['operator'] } as const;
    const by = { actor, at: '2025-01-01T00:00:00.000Z', command: acme, correlation: acme, causation: acme };
    const { execute } = aggregates(log, organizationDecider(catalogue));
    await execute(stream, { type: 'FoundOrganization', data: { name: 'Acme' } }, by);
    await documents.customers.claim('stripe', 'cus_1', acme, now);
    const events = async () => {
      const found = [];
      for await (const { type, data } of log.readStream(stream)) found.push({ type, data });
      return found;
    };
    return { start, events, inbox: documents.inbox };
  }
  type Call = (...asked: never[]) => Promise<unknown>;
  const take = (billing: ReturnType<Awaited<ReturnType<typeof ground>>['start']>, event: object) =>
    billing.take(stripeFacts(event, reading)!, JSON.stringify(event));

  it('at every point, and each message counts once when it comes again, or when somebody goes on with it', async () => {
    const undisturbed = await ground();
    const counting = dyingAt(Infinity);
    for (const event of messages) await take(undisturbed.start(counting), event);
    const truth = await undisturbed.events();
    expect(truth.map(({ type }) => type)).toContain('AddOnCancelled');
    expect(counting.calls()).toBeGreaterThan(20);

    for (let point = 1; point <= counting.calls(); point += 1) {
      const { start, events, inbox } = await ground();
      const alive = dyingAt(Infinity);
      let left = point;
      for (const event of messages) {
        const dying = dyingAt(left);
        const died = await take(start(dying), event).then(
          () => false,
          (error: unknown) => error instanceof Died,
        );
        left -= dying.calls();
        const survivor = start(alive);
        if (died && point % 2) await survivor.goOn(() => false);
        await take(survivor, event); // the provider sends it again
      }
      expect({ point, events: await events() }).toEqual({ point, events: truth });
      expect(await inbox.countOpen()).toMatchObject({ received: 0, quarantined: 0 });
    }
  });
});
