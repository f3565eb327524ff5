import { acme, factOf, holdSolo, holdTeams, holdUsers, morePrices, other, without } from './billing.testing';
import { commandsFor } from './commands';
import type { BillingFact } from './fact';
import { dismissFact, rereadFact, quarantineReason } from './waiting-messages';

/** In words: whom, what, when, and by which message. */
const told = (fact: BillingFact, others: readonly BillingFact[] = []) =>
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

describe('a message of a subscription tells', () => {
  it('what is sold, once for each message, place and moment', () => {
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

  it('the end of what the one before it held, whichever comes first', () => {
    const first = factOf('evt_1', nine, { holds: [holdSolo, holdUsers(2)] });
    const second = factOf('evt_2', ten, { holds: [holdTeams] });
    expect(told(second, [first])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
      'acme, AssignPlan, second teams, 10:00:00.500, evt_2',
    ]);
    expect(told(second)).toEqual(['acme, AssignPlan, second teams, 10:00:00.500, evt_2']);
    expect(told(first, [second])).toEqual([
      'acme, AssignPlan, second solo, 09:00:00.500, evt_1',
      'acme, PurchaseAddOn, sub_1:si_2 2, 09:00:00.500, evt_1',
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
    ]);
  });

  it('no end twice, and none of what another message has ended or goes on with', () => {
    const first = factOf('evt_1', nine, { holds: [holdUsers(2)] });
    const empty = factOf('evt_2', ten);
    expect(told(factOf('evt_3', eleven), [first, empty])).toEqual([]);
    expect(told(factOf('evt_3', eleven, { holds: [holdUsers(2)] }), [first])).toEqual([
      'acme, PurchaseAddOn, sub_1:si_2 2, 11:00:00.500, evt_3',
    ]);
    expect(told(empty, [first, factOf('evt_3', eleven, { holds: [holdUsers(2)] })])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
    ]);
  });

  it('an end by its own word, though nobody knows yet what it ends', () => {
    const deleted = factOf('evt_9', eleven, { ends: [{ kind: 'plan', line: 'second' }] });
    expect(told(deleted)).toEqual(['acme, EndPlan, second, 11:00:00.500, evt_9']);
    expect(told(deleted, [factOf('evt_1', nine, { holds: [holdSolo, holdUsers(1)] })])).toEqual([
      'acme, EndPlan, second, 11:00:00.500, evt_9',
      'acme, CancelAddOn, sub_1:si_2, 11:00:00.500, evt_9',
    ]);
  });

  it('one after the other where two carry one moment, the greater id last', () => {
    const one = factOf('evt_1', nine, { holds: [holdTeams, holdUsers(1)] });
    const two = factOf('evt_2', nine, { holds: [holdTeams] });
    expect(told(two, [one])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 09:00:00.501, evt_2',
      'acme, AssignPlan, second teams, 09:00:00.501, evt_2',
    ]);
    expect(told(one, [two])).toEqual([
      'acme, AssignPlan, second teams, 09:00:00.500, evt_1',
      'acme, PurchaseAddOn, sub_1:si_2 1, 09:00:00.500, evt_1',
      'acme, CancelAddOn, sub_1:si_2, 09:00:00.501, evt_2',
      'acme, AssignPlan, second teams, 09:00:00.501, evt_2',
    ]);
  });

  it('two organizations, when it went from one to the other', () => {
    const first = factOf('evt_1', nine, { holds: [holdSolo] });
    expect(told(factOf('evt_2', ten, { holds: [holdSolo], organization: other }), [first])).toEqual([
      'acme, EndPlan, second, 10:00:00.500, evt_2',
      'other, AssignPlan, second solo, 10:00:00.500, evt_2',
    ]);
  });
});

describe('a message that nobody understands yet', () => {
  const before = factOf('evt_1', nine, { holds: [holdTeams, holdUsers(1)] });

  it('ends no plan, and nothing that its item was before; what is gone for sure ends', () => {
    expect(told(factOf('evt_2', ten, { unknown: unknown('si_9') }), [before])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 10:00:00.500, evt_2',
    ]);
    expect(told(factOf('evt_2', ten, { unknown: unknown('si_2') }), [before])).toEqual([]);
  });

  it('leaves to the next one what it did not end', () => {
    const vague = factOf('evt_2', ten, { unknown: unknown('si_2') });
    expect(told(factOf('evt_3', eleven, { holds: [holdTeams] }), [before, vague])).toEqual([
      'acme, CancelAddOn, sub_1:si_2, 11:00:00.500, evt_3',
      'acme, AssignPlan, second teams, 11:00:00.500, evt_3',
    ]);
    expect(told(before, [vague, factOf('evt_3', eleven, { holds: [holdTeams] })]).at(-1)).toBe(
      'acme, CancelAddOn, sub_1:si_2, 11:00:00.500, evt_3',
    );
  });

  it('tells nobody anything as long as nobody knows whom, or what else there is', () => {
    const nobody = factOf('evt_2', ten, { holds: [holdSolo], ends: [] });
    const strange = without('organization', nobody);
    expect(told(strange, [before])).toEqual([]);
    expect(told(factOf('evt_2', ten, { holds: [holdSolo], isPartial: true }), [before])).toEqual([
      'acme, AssignPlan, second solo, 10:00:00.500, evt_2',
    ]);
  });

  it('says why it waits', () => {
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

  it('is read again, and tells the rest: what was told before keeps its commands', () => {
    const vague = factOf('evt_2', ten, { holds: [holdTeams], unknown: [...unknown('si_3')] });
    const clear = rereadFact(vague, morePrices);
    expect(clear.unknown).toEqual([]);
    expect(quarantineReason(clear)).toBeUndefined();
    const idsOf = (fact: BillingFact) => commandsFor(fact, [], (name) => name).map(({ context }) => context.command);
    expect(idsOf(clear).slice(0, 1)).toEqual(idsOf(vague));
    expect(told(clear).slice(1)).toEqual(['acme, PurchaseAddOn, sub_1:si_3 2, 10:00:00.500, evt_2']);
    expect(rereadFact(clear, { byProviderId: () => undefined })).toEqual(clear);
  });

  it('is read again for whom its customer was linked to, unless it said so itself', () => {
    const strange = without('organization', factOf('evt_2', ten, { holds: [holdSolo] }));
    expect(rereadFact(strange, morePrices, other).organization).toBe(other);
    expect(rereadFact(strange, morePrices)).toEqual(strange);
    expect(rereadFact(factOf('evt_2', ten), morePrices, other).organization).toBe(acme);
  });

  it('counts as it is once somebody says that the rest is nothing of ours', () => {
    const vague = factOf('evt_2', ten, { holds: [holdUsers(1)], unknown: unknown('si_1') });
    expect(told(vague, [before])).toEqual(['acme, PurchaseAddOn, sub_1:si_2 1, 10:00:00.500, evt_2']);
    expect(told(dismissFact(vague, noon), [before])).toEqual(['acme, EndPlan, second, 10:00:00.500, evt_2']);
  });
});

const noon = '2025-01-15T12:00:00.000Z';

describe('a message that was dismissed', () => {
  const before = factOf('evt_1', nine, { holds: [holdTeams, holdUsers(1)] });
  const next = factOf('evt_3', eleven, { holds: [holdTeams] });

  it('tells nothing of itself, and brings nothing by way of others', () => {
    const ahead = dismissFact(
      factOf('evt_2', ten, { holds: [holdSolo], ends: [{ kind: 'plan', line: 'first' }] }),
      noon,
    );
    expect(told(ahead, [before, next])).toEqual([]);
    expect(told(before, [ahead])).toEqual(told(before));
    const twin = factOf('evt_0', ten, { holds: [holdTeams, holdUsers(1)] });
    expect(told(twin, [before, ahead])).toEqual(told(twin, [before]));
    expect(told(next, [before, ahead])).toEqual(told(next, [before]));
  });

  it.each<[string, BillingFact]>([
    ['it is of the time to come', factOf('evt_2', '13:00:00.500', { unknown: unknown('si_1') })],
    ['nobody knows whom it is about', without('organization', factOf('evt_2', ten, { unknown: unknown('si_1') }))],
    ['it does not show all items', factOf('evt_2', ten, { unknown: unknown('si_1'), isPartial: true })],
    ['it is a single statement', factOf('evt_2', ten, { isWhole: false, holds: [holdSolo] })],
  ])('ends nothing of the one before it where %s', (_why, fact) => {
    expect(told(dismissFact(fact, noon), [before])).toEqual([]);
    expect(told(before, [dismissFact(fact, noon)])).toEqual(told(before));
  });
});

describe('a single statement tells', () => {
  const said = { provider: 'cloudevents:erp', isWhole: false };

  it('what it says, whatever else the subscription has', () => {
    const before = factOf('evt_1', nine, { ...said, holds: [holdTeams] });
    const purchase = factOf('evt_2', ten, { ...said, holds: [holdUsers(3)] });
    expect(told(purchase, [before])).toEqual(['acme, PurchaseAddOn, sub_1:si_2 3, 10:00:00.500, evt_2']);
  });

  it('an end by hand of the line, where it names no subscription', () => {
    const ended = without('subscription', factOf('evt_3', ten, { ...said, ends: [{ kind: 'plan', line: 'first' }] }));
    expect(commandsFor(ended, [], (name) => name)[0]!.command).toEqual({
      type: 'EndPlan',
      data: { line: 'first', effectiveAt: '2025-01-15T10:00:00.500Z' },
    });
  });
});
