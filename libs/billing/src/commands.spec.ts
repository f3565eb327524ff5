import { acme, factOf, holdSolo, holdTeams, holdUsers, morePrices, other, without } from './billing.testing';
import { commandsFor } from './commands';
import type { BillingFact } from './fact';
import { dismissFact, rereadFact, quarantineReason } from './waiting-messages';

/** Each command as one line: organization, command type, content, time and message id. */
const commandLines = (fact: BillingFact, others: readonly BillingFact[] = []) =>
  commandsFor(fact, others, (name) => name).map(({ organization, command, context }) => {
    const data = command.data as {
      line?: string;
      plan?: string;
      purchase?: string;
      quantity?: number;
      effectiveAt: string;
    };
    const what = [data.line ?? data.purchase, data.plan ?? data.quantity]
      .filter((word) => word !== undefined)
      .join(' ');
    const time = data.effectiveAt.slice('2025-01-15T'.length, -1);
    return [organization === acme ? 'acme' : 'other', command.type, what, time, context.message].join(', ');
  });

const nine = '09:00:00.500';
const ten = '10:00:00.500';
const eleven = '11:00:00.500';
const unknown = (item: string) => [{ item, price: 'price_new', product: 'prod_new', quantity: 2 }];

describe('Subscription message', () => {
  it('gives one command for each item, and each command has a different id', () => {
    const commands = commandsFor(factOf('evt_1', nine, { holds: [holdSolo, holdUsers(2)] }), [], (name) => name);
    expect(commands).toEqual([
      {
        organization: acme,
        command: {
          type: 'AssignPlan',
          data: { line: 'second', plan: 'solo', effectiveAt: '2025-01-15T09:00:00.500Z', subscription: 'sub_1' },
        },
        context: {
          command: '["stripe","evt_1","sold","plan second","2025-01-15T09:00:00.500Z","solo"]',
          message: 'evt_1',
          causation: 'evt_1',
          mergesEqualMessages: true,
        },
      },
      expect.objectContaining({
        command: {
          type: 'PurchaseAddOn',
          data: {
            purchase: 'sub_1:si_2',
            addOn: 'additionalUser',
            quantity: 2,
            effectiveAt: '2025-01-15T09:00:00.500Z',
            subscription: 'sub_1',
          },
        },
      }),
    ]);
    expect(new Set(commands.map(({ context }) => context.command)).size).toBe(commands.length);
  });

  it('ends items that only the previous message contains, in both orders of arrival', () => {
    const first = factOf('evt_1', nine, { holds: [holdSolo, holdUsers(2)] });
    const second = factOf('evt_2', ten, { holds: [holdTeams] });
    expect(commandLines(second, [first])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
      'acme, AssignPlan, second teams, 10:00:00.500, evt_2',
    ]);
    expect(commandLines(second)).toEqual(['acme, AssignPlan, second teams, 10:00:00.500, evt_2']);
    expect(commandLines(first, [second])).toEqual([
      'acme, AssignPlan, second solo, 09:00:00.500, evt_1',
      'acme, PurchaseAddOn, sub_1:si_2 2, 09:00:00.500, evt_1',
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
    ]);
  });

  it('ends neither an item that an earlier message has ended, nor an item that the message still contains', () => {
    const first = factOf('evt_1', nine, { holds: [holdUsers(2)] });
    const empty = factOf('evt_2', ten);
    expect(commandLines(factOf('evt_3', eleven), [first, empty])).toEqual([]);
    expect(commandLines(factOf('evt_3', eleven, { holds: [holdUsers(2)] }), [first])).toEqual([
      'acme, PurchaseAddOn, sub_1:si_2 2, 11:00:00.500, evt_3',
    ]);
    expect(commandLines(empty, [first, factOf('evt_3', eleven, { holds: [holdUsers(2)] })])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
    ]);
  });

  it('ends the plan that it names as ended, even if no message about the sale of this plan has arrived', () => {
    const deleted = factOf('evt_9', eleven, { ends: [{ kind: 'plan', line: 'second' }] });
    expect(commandLines(deleted)).toEqual(['acme, EndPlan, second, 11:00:00.500, evt_9']);
    expect(commandLines(deleted, [factOf('evt_1', nine, { holds: [holdSolo, holdUsers(1)] })])).toEqual([
      'acme, EndPlan, second, 11:00:00.500, evt_9',
      'acme, CancelAddOn, sub_1:si_2, 11:00:00.500, evt_9',
    ]);
  });

  it('takes effect one millisecond after another message with the same time and a smaller id', () => {
    const one = factOf('evt_1', nine, { holds: [holdTeams, holdUsers(1)] });
    const two = factOf('evt_2', nine, { holds: [holdTeams] });
    expect(commandLines(two, [one])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 09:00:00.501, evt_2',
      'acme, AssignPlan, second teams, 09:00:00.501, evt_2',
    ]);
    expect(commandLines(one, [two])).toEqual([
      'acme, AssignPlan, second teams, 09:00:00.500, evt_1',
      'acme, PurchaseAddOn, sub_1:si_2 1, 09:00:00.500, evt_1',
      'acme, CancelAddOn, sub_1:si_2, 09:00:00.501, evt_2',
      'acme, AssignPlan, second teams, 09:00:00.501, evt_2',
    ]);
  });

  it('changes both organizations when the subscription moves from one organization to the other', () => {
    const first = factOf('evt_1', nine, { holds: [holdSolo] });
    expect(commandLines(factOf('evt_2', ten, { holds: [holdSolo], organization: other }), [first])).toEqual([
      'acme, EndPlan, second, 10:00:00.500, evt_2',
      'other, AssignPlan, second solo, 10:00:00.500, evt_2',
    ]);
  });

  it('gives different ids to the commands that end one plan in two organizations', () => {
    const first = factOf('evt_1', nine, { holds: [holdSolo] });
    const partial = factOf('evt_2', ten, { holds: [holdSolo], organization: other, isPartial: true });
    const ends = commandsFor(factOf('evt_3', eleven, { organization: other }), [first, partial], (name) => name);
    expect(ends.map(({ organization, command }) => [organization, command.type])).toEqual([
      [acme, 'EndPlan'],
      [other, 'EndPlan'],
    ]);
    expect(new Set(ends.map(({ context }) => context.command)).size).toBe(2);
  });
});

describe('Message with unknown content', () => {
  const before = factOf('evt_1', nine, { holds: [holdTeams, holdUsers(1)] });

  it('ends a missing item only if its unknown item cannot replace this item', () => {
    expect(commandLines(factOf('evt_2', ten, { unknown: unknown('si_9') }), [before])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
    ]);
    expect(commandLines(factOf('evt_2', ten, { unknown: unknown('si_2') }), [before])).toEqual([]);
  });

  it('does not end a missing item that its unknown item may replace; the next message ends the missing item', () => {
    const vague = factOf('evt_2', ten, { unknown: unknown('si_2') });
    expect(commandLines(factOf('evt_3', eleven, { holds: [holdTeams] }), [before, vague])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 11:00:00.500, evt_3',
      'acme, AssignPlan, second teams, 11:00:00.500, evt_3',
    ]);
    expect(commandLines(before, [vague, factOf('evt_3', eleven, { holds: [holdTeams] })]).at(-1)).toBe(
      'acme, CancelAddOn, sub_1:si_2, 11:00:00.500, evt_3',
    );
  });

  it('gives no commands if its organization is unknown, and ends no items if it lists only some of the items', () => {
    const complete = factOf('evt_2', ten, { holds: [holdSolo], ends: [] });
    const strange = without('organization', complete);
    expect(commandLines(strange, [before])).toEqual([]);
    expect(commandLines(factOf('evt_2', ten, { holds: [holdSolo], isPartial: true }), [before])).toEqual([
      'acme, AssignPlan, second solo, 10:00:00.500, evt_2',
    ]);
  });

  it('waits in quarantine if its organization or an item is unknown, or if its list of items is incomplete and no newer message is complete', () => {
    const strange = without('organization', factOf('evt_2', ten));
    expect(quarantineReason(strange)?.reason).toBe('unmapped-customer');
    expect(quarantineReason(factOf('evt_2', ten, { unknown: unknown('si_3') }))).toEqual({
      reason: 'unknown-price',
      detail: 'Nothing is sold under the price price_new of the product prod_new.',
    });
    const part = factOf('evt_2', ten, { isPartial: true });
    expect(quarantineReason(part)?.reason).toBe('more-items');
    expect(quarantineReason(part, [factOf('evt_3', eleven)])).toBeUndefined();
    const dismissedOne = factOf('evt_4', eleven, { dismissed: 'all' });
    const ofNoHelp = [factOf('evt_1', nine), factOf('evt_3', eleven, { isPartial: true }), dismissedOne];
    expect(quarantineReason(part, ofNoHelp)?.reason).toBe('more-items');
    expect(quarantineReason(factOf('evt_2', ten, { holds: [holdSolo] }))).toBeUndefined();
  });

  it('gives the missing commands after the catalogue gets its unknown items; the ids of its other commands stay the same', () => {
    const vague = factOf('evt_2', ten, { holds: [holdTeams], unknown: [...unknown('si_3')] });
    const clear = rereadFact(vague, morePrices);
    expect(clear.unknown).toEqual([]);
    expect(quarantineReason(clear)).toBeUndefined();
    const idsOf = (fact: BillingFact) => commandsFor(fact, [], (name) => name).map(({ context }) => context.command);
    expect(idsOf(clear).slice(0, 1)).toEqual(idsOf(vague));
    expect(commandLines(clear).slice(1)).toEqual(['acme, PurchaseAddOn, sub_1:si_3 2, 10:00:00.500, evt_2']);
    expect(rereadFact(clear, { byProviderId: () => undefined })).toEqual(clear);
  });

  it('belongs to the organization that is linked to its customer, unless the message names an organization', () => {
    const strange = without('organization', factOf('evt_2', ten, { holds: [holdSolo] }));
    expect(rereadFact(strange, morePrices, other).organization).toBe(other);
    expect(rereadFact(strange, morePrices)).toEqual(strange);
    expect(rereadFact(factOf('evt_2', ten), morePrices, other).organization).toBe(acme);
  });

  it('is applied without its unknown items after an operator dismisses them', () => {
    const vague = factOf('evt_2', ten, { holds: [holdUsers(1)], unknown: unknown('si_1') });
    expect(commandLines(vague, [before])).toEqual(['acme, PurchaseAddOn, sub_1:si_2 1, 10:00:00.500, evt_2']);
    const dismissed = dismissFact(vague, noon);
    // If the log was unavailable, the operator repeats the request.
    for (const fact of [dismissed, dismissFact(dismissed, noon)])
      expect(commandLines(fact, [before])).toEqual(['acme, EndPlan, second, 10:00:00.500, evt_2']);
  });
});

const noon = '2025-01-15T12:00:00.000Z';

describe('Dismissed message', () => {
  const before = factOf('evt_1', nine, { holds: [holdTeams, holdUsers(1)] });
  const next = factOf('evt_3', eleven, { holds: [holdTeams] });

  it('gives no commands, and changes no commands of other messages', () => {
    const ahead = dismissFact(
      factOf('evt_2', ten, { holds: [holdSolo], ends: [{ kind: 'plan', line: 'first' }] }),
      noon,
    );
    expect(commandLines(ahead, [before, next])).toEqual([]);
    expect(commandLines(before, [ahead])).toEqual(commandLines(before));
    const twin = factOf('evt_0', ten, { holds: [holdTeams, holdUsers(1)] });
    expect(commandLines(twin, [before, ahead])).toEqual(commandLines(twin, [before]));
    expect(commandLines(next, [before, ahead])).toEqual(commandLines(next, [before]));
  });

  it.each<[string, BillingFact]>([
    ['it is in the future', factOf('evt_2', '13:00:00.500', { unknown: unknown('si_1') })],
    ['its organization is unknown', without('organization', factOf('evt_2', ten, { unknown: unknown('si_1') }))],
    ['it shows only a part of the items', factOf('evt_2', ten, { unknown: unknown('si_1'), isPartial: true })],
    ['it is a single statement', factOf('evt_2', ten, { isWhole: false, holds: [holdSolo] })],
  ])('ends no item of the previous message when %s', (_why, fact) => {
    expect(commandLines(dismissFact(fact, noon), [before])).toEqual([]);
    expect(commandLines(before, [dismissFact(fact, noon)])).toEqual(commandLines(before));
  });
});

describe('Message that is a single statement, such as a CloudEvent', () => {
  const said = { provider: 'cloudevents:erp', isWhole: false };

  it('gives only the command of this statement, whatever other items the subscription contains', () => {
    const before = factOf('evt_1', nine, { ...said, holds: [holdTeams] });
    const purchase = factOf('evt_2', ten, { ...said, holds: [holdUsers(3)] });
    expect(commandLines(purchase, [before])).toEqual(['acme, PurchaseAddOn, sub_1:si_2 3, 10:00:00.500, evt_2']);
  });

  it('ends the plan of a product line in any subscription, if the statement names no subscription', () => {
    const ended = without('subscription', factOf('evt_3', ten, { ...said, ends: [{ kind: 'plan', line: 'first' }] }));
    expect(commandsFor(ended, [], (name) => name)[0]!.command).toEqual({
      type: 'EndPlan',
      data: { line: 'first', effectiveAt: '2025-01-15T10:00:00.500Z' },
    });
  });
});
