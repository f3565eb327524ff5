import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/requests/http';
import { founded, path } from '../support/requests/organizations';
import { served } from '../support/network/processes';
import { eventsOf } from '../support/serving';
import { message, signed } from '../billing/stripe/stripe-messages';
import { cloudEvent, teams, users } from '../billing/sending';
import type { Stage } from './other-limits.contract';

/** K5: a message of Stripe or a CloudEvent that arrives 50 times at once, at all processes, takes effect once. */
export function billingCountsOnce(stage: () => Stage): void {
  const toAll = (of: (index: number) => Parameters<Stage['processes'][number]['ask']>) =>
    Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const { processes } = stage();
        return processes[index % processes.length]!.ask(...of(index));
      }),
    );
  const soldIn = async (id: string) =>
    (await eventsOf(stage().all, `organization-${id}`)).filter(({ type }) => /^(Plan|AddOn)/.test(type));
  /**
   * The texts of all answers that are not 200. A sender that gets only answers other than 200 stops sending after
   * some time.
   */
  const refusedOf = (answers: readonly Answer[]) =>
    answers.filter(({ status }) => status !== 200).map(({ text }) => text);
  const anOrganization = () => founded(served(stage().all, stage().processes[0]!), { by: stage().key });

  it('K5: a message of Stripe that arrives 50 times at the same time is applied once', async () => {
    const organization = await anOrganization();
    const fields = { id: `sub_${organization}`, status: 'active', items: [teams, users(3)], organization } as const;
    const event = message(`evt_${organization}`, 'created', fields, 0);
    const answers = await toAll(() => ['POST', '/webhooks/stripe', signed(event)]);
    expect(refusedOf(answers)).toEqual([]);
    expect(await soldIn(organization)).toHaveLength(2);
  });

  it('two messages of Stripe with equal content from the same second take effect once, although each arrives 25 times at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const organization = await anOrganization();
      const fields = { id: `sub_${organization}`, status: 'active', items: [teams, users(3)], organization } as const;
      const twins = ['A', 'B'].map((name) => message(`evt_${name}_${organization}`, 'updated', fields, 0));
      const answers = await toAll((index) => ['POST', '/webhooks/stripe', signed(twins[(index >> 1) % 2]!)]);
      expect(refusedOf(answers)).toEqual([]);
      expect(await soldIn(organization)).toHaveLength(2);
    }
  });

  it('K5: a CloudEvent about a sale that arrives 50 times at the same time is applied once', async () => {
    const [subject, { key }] = [await anOrganization(), stage()];
    const sale = { id: randomUUID(), type: 'charter.add-on.purchased', time: '2025-01-01T00:00:00Z', subject };
    const body = cloudEvent({ ...sale, data: { purchase: 'p', addOn: 'additionalUser', quantity: 2 } });
    const answers = await toAll(() => ['POST', '/api/v1/billing/events', { key, body }]);
    expect(refusedOf(answers)).toEqual([]);
    expect(await soldIn(subject)).toHaveLength(1);
  });

  it('a customer of Stripe is linked to only one of ten organizations that claim the customer at the same time', async () => {
    const { key } = stage();
    const ids = await Promise.all(Array.from({ length: 10 }, anOrganization));
    const body = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    const answers = await toAll((index) => ['PUT', path(ids[index % 10]!, '/billing-account'), { key, body }]);
    const linked = new Set(answers.flatMap(({ status }, index) => (status === 200 ? [index % 10] : [])));
    expect(linked.size).toBe(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(45);
  });
}
