import { randomUUID } from 'node:crypto';
import { stripeFacts } from '@charter/billing';
import { billingService, type Charter } from '@charter/application';
import { organizationStream } from '@charter/organization';
import { solo } from '../billing/sending';
import { type Item, message, part } from '../billing/stripe/stripe-messages';
import { CommandLine, found } from './command-line';

let charter: CommandLine;
beforeEach(() => {
  charter = new CommandLine();
});
afterEach(() => charter.remove());

const strange = { id: 'si_strange', product: 'prod_Unknown', price: 'price_Unknown' };

/** Stores and applies a message, as a server does while Stripe does not answer. */
async function take(server: Charter, event: ReturnType<typeof message>): Promise<void> {
  const reading = { prices: server.catalogue, countsTests: true };
  const billing = billingService({
    ...server,
    now: Date.now,
    reading,
    execute: (of, command, by) => server.organizations.execute(organizationStream(of), command, by),
    alarm: () => undefined,
  });
  await billing.take(stripeFacts(event, reading)!, JSON.stringify(event));
}

/** Stores a message with an unknown price, as the server does when it receives the message. */
const received = (id: string) => async (server: Charter) => {
  const organization = await found(server, 'Acme');
  const fields = { id: `sub_${id}`, status: 'active', items: [solo, strange], organization } as const;
  await take(server, message(id, 'created', fields, 0));
  return organization;
};

it('`billing quarantine` lists waiting messages, and `billing replay` applies them after their price was mapped', async () => {
  const organization = await charter.inside(received('evt_Waits'));
  const { stdout } = await charter.run(['billing', 'quarantine']);
  expect(stdout).toMatch(/evt_Waits +customer\.subscription\.created .*unknown-price/);
  expect(stdout).not.toContain('Ada');
  const listed = await charter.json('billing', 'quarantine');
  expect(listed.answer.messages).toMatchObject([{ id: 'evt_Waits', organization, reason: 'unknown-price' }]);

  const still = await charter.run(['billing', 'replay', 'evt_Waits']);
  expect([still.code, still.stdout]).toEqual([1, expect.stringContaining('evt_Waits still waits: ')]);

  const mapped = { PLAN_PROVIDER_IDS: ',,,price_Unknown' };
  const all = await charter.run(['billing', 'replay', '--all', '--json'], mapped);
  expect([all.code, JSON.parse(all.stdout)]).toEqual([
    0,
    { results: [{ id: 'evt_Waits', outcome: 'applied', reason: null }] },
  ]);
  expect((await charter.run(['billing', 'replay', 'evt_Waits'])).stdout).toBe('evt_Waits is applied.\n');
  const { stdout: history } = await charter.run(['history', organization, '--json']);
  expect(history.match(/"AddOnPurchased"/g)).toHaveLength(1);
}, 60_000);

it('`billing replay --all` also replays the messages after a message that fails', async () => {
  const broken = await charter.inside(received('evt_Fails'));
  await charter.inside(received('evt_Waits'));
  await charter.inside(async ({ log }) => {
    const stream = organizationStream(broken);
    let expected = -1n;
    for await (const { revision } of log.readStream(stream)) expected = revision;
    const foreign = { id: randomUUID(), type: 'OrganizationMisunderstood', data: {}, metadata: {} };
    await log.append(stream, [foreign], { expected });
  });
  const args = ['billing', 'replay', '--all'];
  const all = await charter.run([...args, '--json'], { PLAN_PROVIDER_IDS: ',,,price_Unknown' });
  expect([all.code, JSON.parse(all.stdout)]).toEqual([
    1,
    {
      results: [
        { id: 'evt_Fails', outcome: 'quarantined', reason: 'unreadable-history' },
        { id: 'evt_Waits', outcome: 'applied', reason: null },
      ],
    },
  ]);
  const { code, stdout } = await charter.run(args);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^0 messages applied; 1 still wait\.\n\nThe message evt_Fails failed: Revision \d of .+ cannot be read/,
    ),
  ]);
}, 60_000);

it('`billing replay` does not apply a message that needs a query to Stripe, because only a server sends queries to Stripe', async () => {
  await charter.inside(async ({ catalogue, database: { inbox } }) => {
    const fields = { id: 'sub_1', status: 'active', items: [solo] } as const;
    const { head } = stripeFacts(message('evt_Unsure', 'created', fields, 0), {
      prices: catalogue,
      countsTests: true,
    })!;
    const about = { organization: null, customer: null, subscription: null };
    await inbox.receive({ ...head, ...about, fact: null, raw: '{}' }, Date.now());
  });
  const { code, answer } = await charter.json('billing', 'replay', 'evt_Unsure');
  expect([code, answer.type, answer.detail]).toEqual([
    1,
    '/problems/not-quarantined',
    'The message evt_Unsure is not in quarantine: a server is still applying it.',
  ]);
}, 60_000);

it('`billing replay` leaves a message to a server if only Stripe knows which of two messages is newer', async () => {
  await charter.inside(async (server) => {
    const organization = await found(server, 'Acme');
    const fields = (...items: readonly Item[]) => ({ id: 'sub_1', status: 'active', items, organization }) as const;
    await take(server, message('evt_1', 'updated', fields(solo), 0));
    await take(server, message('evt_2', 'updated', fields(solo, strange), 0));
  });
  const settings = { PLAN_PROVIDER_IDS: ',,,price_Unknown', STRIPE_SECRET_KEY: 'sk_live_of_the_specs' };
  expect((await charter.run(['billing', 'replay', '--all'], settings)).code).toBe(0);
  const states = await charter.inside(({ database: { inbox } }) =>
    Promise.all(['evt_1', 'evt_2'].map(async (id) => (await inbox.find({ provider: 'stripe', id }))?.state)),
  );
  expect(states).toEqual(['applied', 'received']);
}, 60_000);

it('`billing replay` leaves a partial message to a server, because only Stripe knows the other items', async () => {
  await charter.inside(async (server) => {
    const organization = await found(server, 'Acme');
    const fields = { id: 'sub_1', status: 'active', items: [solo], organization } as const;
    await take(server, part(message('evt_Part', 'created', fields, 0)));
  });
  const { code, answer } = await charter.json('billing', 'replay', '--all');
  expect([code, answer.results]).toEqual([1, [{ id: 'evt_Part', outcome: 'quarantined', reason: 'more-items' }]]);
  const stateOf = ({ database: { inbox } }: Charter) => inbox.find({ provider: 'stripe', id: 'evt_Part' });
  expect(await charter.inside(stateOf)).toMatchObject({ state: 'quarantined' });
  const settings = { STRIPE_SECRET_KEY: 'sk_live_of_the_specs' };
  const later = await charter.run(['billing', 'replay', 'evt_Part'], settings);
  expect([later.code, later.stdout]).toEqual([1, expect.stringMatching(/^The message evt_Part still waits: /)]);
  expect(await charter.inside(stateOf)).toMatchObject({ state: 'received' });
}, 60_000);

it('`billing replay` accepts one message id or --all, and refuses an unknown id', async () => {
  await charter.found('Acme');
  expect((await charter.run(['billing', 'replay'])).code).toBe(2);
  expect((await charter.run(['billing', 'replay', 'evt_1', '--all'])).code).toBe(2);
  const unknown = await charter.json('billing', 'replay', 'evt_1');
  expect([unknown.code, unknown.answer.type]).toEqual([1, '/problems/no-such-message']);
  expect((await charter.run(['billing', 'replay', '--all'])).stdout).toBe('No message waits.\n');
}, 60_000);

it('`billing dismiss` ends the wait of a message and stores the reason; a second dismissal changes nothing', async () => {
  await charter.inside(received('evt_Waits'));
  const dismiss = (reason: string) => charter.json('billing', 'dismiss', 'evt_Waits', '--reason', reason);
  const dismissed = { id: 'evt_Waits', state: 'dismissed', detail: 'A test of the sales team' };
  expect(await dismiss('A test of the sales team')).toEqual({ code: 0, answer: dismissed });
  expect(await dismiss('Another reason')).toEqual({ code: 0, answer: dismissed });
  expect((await charter.json('billing', 'quarantine')).answer.messages).toEqual([]);
  const unknown = await charter.json('billing', 'dismiss', 'evt_1', '--reason', 'x');
  expect([unknown.code, unknown.answer.type]).toEqual([1, '/problems/no-such-message']);
  expect(unknown.answer.detail).toBe(
    'There is no message evt_1. Run charter billing quarantine to print the ids of the messages.',
  );
  expect((await charter.run(['billing', 'dismiss', 'evt_Waits'])).code).toBe(2);
}, 60_000);
