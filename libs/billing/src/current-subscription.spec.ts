import {
  acme,
  factOf,
  holdSolo,
  holdTeams,
  holdUsers,
  item,
  prices,
  solo,
  strange,
  subscription,
  users,
} from './billing.testing';
import { commandsFor } from './commands';
import type { BillingFact } from './fact';
import { withCurrentSubscription, needsCurrentSubscription } from './current-subscription';

const nine = '09:00:00.500';
const one = factOf('evt_1', nine, { holds: [holdSolo] });
const two = factOf('evt_2', nine, { holds: [holdTeams] });
const teams = item({ product: 'prod_teams' });

describe('Current subscription', () => {
  it.each<[string, BillingFact, BillingFact[], boolean]>([
    ['two updates of one second that differ', two, [one], true],
    ['the same two updates in reverse order', one, [two], true],
    ['two updates of one second with the same content', factOf('evt_2', nine, { holds: [holdSolo] }), [one], false],
    ['another second', factOf('evt_2', '09:00:01.500', { holds: [holdTeams] }), [one], false],
    [
      'a message of another type in the same second',
      two,
      [factOf('evt_0', '09:00:00.000', { holds: [holdSolo] })],
      false,
    ],
    ['a newer message is known', two, [one, factOf('evt_9', '09:00:01.500')], false],
    [
      'an end, which takes effect after all updates of its second',
      factOf('evt_2', nine, { ends: [{ kind: 'plan', line: 'second' }] }),
      [one],
      false,
    ],
    [
      'another update of the second that was fetched before',
      two,
      [factOf('evt_1', '09:00:00.750', { holds: [holdSolo] })],
      true,
    ],
    [
      'the current state, which was fetched before',
      factOf('evt_2', '09:00:00.750', { holds: [holdTeams] }),
      [one],
      false,
    ],
    [
      'an end of the same second',
      two,
      [factOf('evt_9', '09:00:00.999', { ends: [{ kind: 'plan', line: 'second' }] })],
      false,
    ],
    ['the message shows a part of the items', { ...two, isPartial: true }, [factOf('evt_0', '08:00:00.500')], true],
    [
      'the message shows a part of the items, and a newer message is known',
      { ...two, isPartial: true },
      [factOf('evt_9', '09:00:01.500')],
      false,
    ],
    [
      'the newer message was dismissed',
      { ...two, isPartial: true },
      [factOf('evt_9', '09:00:01.500', { dismissed: 'all' })],
      true,
    ],
    ['another provider', { ...two, provider: 'cloudevents:erp' }, [one], false],
    ['no other message', two, [], false],
  ])('is fetched only when the messages do not determine the content: %s', (_what, fact, others, isNeeded) => {
    expect(needsCurrentSubscription(fact, others)).toBe(isNeeded);
  });

  it('takes effect after all updates of the same second, but before the end of the subscription in that second', () => {
    const present = withCurrentSubscription(one, subscription([teams, users(2)]), prices, [two]);
    expect(present).toMatchObject({
      id: 'evt_1',
      type: one.type,
      time: '2025-01-15T09:00:00.750Z',
      organization: acme,
      holds: [{ plan: 'teams' }, { addOn: 'additionalUser', quantity: 2 }],
    });
    expect(commandsFor(present, [two], (name) => name).map(({ command }) => command.data)).toMatchObject([
      { plan: 'teams', effectiveAt: '2025-01-15T09:00:00.750Z' },
      { quantity: 2 },
    ]);
    const third = withCurrentSubscription(factOf('evt_3', nine), subscription([solo]), prices, [two, present]);
    expect(third.time).toBe('2025-01-15T09:00:00.751Z');
    const last = factOf('evt_4', '09:00:00.998');
    expect(withCurrentSubscription(one, subscription([solo]), prices, [last]).time < '2025-01-15T09:00:00.999Z').toBe(
      true,
    );
  });

  it('ends the items that the subscription no longer contains, except an item that an unknown item may have replaced', () => {
    const many = factOf('evt_1', nine, { holds: [holdSolo, holdUsers(2)] });
    const part: BillingFact = { ...many, isPartial: true };
    for (const fact of [many, part])
      expect(withCurrentSubscription(fact, subscription([teams]), prices, []).ends).toEqual([
        { kind: 'add-on', purchase: 'sub_1:si_2' },
      ]);
    const instead = item({ id: 'si_2', product: 'prod_new' });
    expect(withCurrentSubscription(many, subscription([instead]), prices, []).ends).toEqual([]);
    expect(withCurrentSubscription(many, subscription([strange]), prices, []).ends).toMatchObject([{ kind: 'add-on' }]);
  });

  it('ends the plan of the message if the subscription has ended since the message was sent', () => {
    const over = withCurrentSubscription(two, subscription([teams], { status: 'canceled' }), prices, [one]);
    expect(over).toMatchObject({ holds: [], ends: [{ kind: 'plan', line: 'second' }] });
  });

  it('leaves the message unchanged while the first payment is missing, and refuses an object of another type', () => {
    expect(withCurrentSubscription(two, subscription([teams], { status: 'incomplete' }), prices, [one])).toEqual(two);
    expect(() => withCurrentSubscription(two, { object: 'customer' }, prices, [one])).toThrow();
  });
});
