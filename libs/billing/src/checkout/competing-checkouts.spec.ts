import type { CheckoutSession } from './checkout-state';
import { competingCheckouts } from './competing-checkouts';

const session = (id: string, more: Partial<CheckoutSession> = {}): CheckoutSession => ({
  ...{ id, url: null, expires: 9, started: 1, status: 'open', isPaid: false, organization: 'o', subscription: null },
  slots: ['plan second'],
  ...more,
});
const own = { id: 'cs_m', started: 5, slots: ['plan second', 'add-on additionalUser'] };
const paidBy = (subscription: string | null, more: Partial<CheckoutSession> = {}) =>
  session('cs_a', { status: 'complete', isPaid: true, subscription, ...more });
const competing = (recent: readonly CheckoutSession[], known: readonly string[] = []) => {
  const { replaced, paid } = competingCheckouts(own, recent, new Set(known));
  return { replaced: replaced.map(({ id }) => id), paid };
};

describe('A new checkout', () => {
  it('replaces each older open checkout that may sell one of the same plans or add-ons, and no other checkout', () => {
    const recent = [
      session('cs_a'),
      session('cs_b', { slots: ['add-on additionalUser', 'plan first'] }),
      session('cs_c', { slots: ['plan first'] }),
      session('cs_d', { slots: undefined }),
      session('cs_e', { status: 'expired' }),
      session('cs_m', { started: 5 }),
    ];
    expect(competing(recent)).toEqual({ replaced: ['cs_a', 'cs_b', 'cs_d'], paid: [] });
  });

  it('leaves a newer checkout open, and replaces a checkout that began in the same second', () => {
    const recent = [session('cs_n', { started: 5 }), session('cs_l', { started: 5 }), session('cs_a', { started: 6 })];
    expect(competing(recent).replaced).toEqual(['cs_n', 'cs_l']);
  });

  it('knows what a completed checkout has sold, until a message about its subscription arrives', () => {
    expect(competing([paidBy('sub_1')])).toEqual({ replaced: [], paid: ['plan second'] });
    expect(competing([paidBy('sub_1', { isPaid: false })]).paid).toEqual(['plan second']);
    expect(competing([paidBy(null)]).paid).toEqual(['plan second']);
    expect(competing([paidBy('sub_1', { slots: undefined })]).paid).toEqual(own.slots);
    expect(competing([paidBy('sub_1')], ['sub_1']).paid).toEqual([]);
    expect(competing([paidBy('sub_1', { slots: ['plan first'] })]).paid).toEqual([]);
  });
});
