import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../../cli/command-line';
import { teams, users } from '../../billing/sending';
import { message, signed, webhookSecret } from '../../billing/stripe/stripe-messages';
import { expectEqualReadModel } from '../../crash/oracle';
import { type Running, started } from '../../crash/server';
import { send } from '../../support/requests/http';
import { eventsOf } from '../../support/serving';

type When = 'before' | 'after' | 'committed';

/**
 * The points at which the spec kills the process while it handles a message. Each point is a pattern for an SQL
 * statement, or for the answer to the webhook; the message's id replaces `%`.
 */
const places: readonly (readonly [place: string, at: string, when: When])[] = [
  ['before it stores the message', 'insert into "billing_messages".*%', 'before'],
  ['while it stores the message', 'insert into "billing_messages".*%', 'after'],
  ['after it has stored the message', 'insert into "billing_messages".*%', 'committed'],
  ['before it writes an event of the message', 'insert into events.*%', 'before'],
  ['while it writes an event of the message', 'insert into events.*%', 'after'],
  ['after it has written an event of the message', 'insert into events.*%', 'committed'],
  ['before it marks the message as applied', 'update "billing_messages" set "state".*%', 'before'],
  ['while it marks the message as applied', 'update "billing_messages" set "state".*%', 'after'],
  ['after it has marked the message as applied', 'update "billing_messages" set "state".*%', 'committed'],
  ['before it answers', 'answer to /webhooks/stripe.%', 'before'],
];

/**
 * Each point above for the first and for the second message of a subscription. The second message causes two events.
 */
const points = places.flatMap(([place, at, when]) => [1, 2].map((nth) => ({ place, at, when, nth })));

it('K6: A message is applied once if the server is killed between receipt and answer, restarted, and gets the message again', async () => {
  const charter = new CommandLine();
  const scopes = 'organizations:read,organizations:write,organizations:operate';
  const { key } = (await charter.json('keys', 'create', '--name', 'load', '--scopes', scopes)).answer;
  const start = (settings: Readonly<Record<string, string>> = {}) =>
    started(charter, { STRIPE_WEBHOOK_SECRETS: webhookSecret, ...settings });

  const first = await start();
  const found = async (index: number) => {
    const body = { name: `Customer ${index}` };
    const { id } = (await send(`${first.url}/api/v1/organizations`, 'POST', { key, body })).body;
    const life = { id: `sub_${index}`, status: 'active', organization: id as string } as const;
    const messages = [
      message(`evt_${index}_1`, 'created', { ...life, items: [teams] }, 0),
      message(`evt_${index}_2`, 'updated', { ...life, items: [teams, users(3)] }, 60),
    ];
    return { id: id as string, messages };
  };
  /**
   * One customer for each point, and one more customer. The spec kills no process during the messages of that last
   * customer.
   */
  const customers = await Promise.all([...points, undefined].map((_, index) => found(index)));
  const sends = ({ url }: Running, { messages }: (typeof customers)[number], nth: number) => {
    const event = messages[nth - 1]!;
    return send(`${url}/webhooks/stripe?${event.id}`, 'POST', signed(event));
  };
  const delivered = async (server: Running, customer: (typeof customers)[number], ...which: number[]) => {
    for (const nth of which) expect((await sends(server, customer, nth)).status).toBe(200);
  };
  /** The events of the customer's organization, each with the number of the message that caused it. */
  const sold = ({ id }: (typeof customers)[number]) =>
    charter.inside(async (inside) =>
      (await eventsOf({ charter: inside }, `organization-${id}`)).map(({ type, metadata }) => [
        type,
        String((metadata as { causation?: unknown }).causation).match(/^evt_\d+_([12])$/)?.[1],
      ]),
    );
  await delivered(first, customers.at(-1)!, 1, 2);
  const truth = await sold(customers.at(-1)!);
  expect(truth.map(([type]) => type)).toEqual([
    'OrganizationFounded',
    'PlanAssigned',
    'PlanAssigned',
    'AddOnPurchased',
  ]);
  await first.kill();

  const redelivered = async (server: Running, index: number) => {
    if (index < 0) return;
    await delivered(server, customers[index]!, 1, 2);
    expect([points[index], await sold(customers[index]!)]).toEqual([points[index], truth]);
  };
  for (const [index, { at, when, nth }] of points.entries()) {
    const server = await start({
      NODE_OPTIONS: `--require=${join(__dirname, '../../crash/children/killing.cjs')}`,
      ...{ KILL_AT: at.replace('%', `evt_${index}_${nth}`), KILL_WHEN: when },
    });
    await redelivered(server, index - 1);
    if (nth === 2) await delivered(server, customers[index]!, 1);
    const answer = await sends(server, customers[index]!, nth).catch(() => 'none');
    expect([points[index], answer]).toEqual([points[index], 'none']);
    expect(await Promise.race([server.ended, pause(10_000, 'alive')])).toBe('SIGKILL');
  }
  const last = await start();
  await redelivered(last, points.length - 1);
  const open = await charter.inside(({ database }) => database.inbox.countOpen());
  expect(open).toEqual({ received: 0, quarantined: 0 });
  expect((await charter.run(['verify', '--all'])).code).toBe(0);
  await expectEqualReadModel(charter, 'complete');
  await last.kill();
  charter.remove();
});
