import { acme } from './billing.testing';
import { BillingEvent, cloudEventFacts } from './cloud-events';

const event = (type: string, data: unknown, more: object = {}) => ({
  specversion: '1.0',
  id: 'e-1',
  source: 'https://erp.example.com/billing',
  type,
  time: '2026-11-01T10:00:00+01:00',
  subject: acme.toUpperCase(),
  datacontenttype: 'application/json',
  data,
  ...more,
});
const read = (type: string, data: unknown) => cloudEventFacts(BillingEvent.parse(event(type, data)));
const head = {
  provider: 'cloudevents:https://erp.example.com/billing',
  id: 'e-1',
  time: '2026-11-01T09:00:00.000Z',
};
const single = { ...head, organization: acme, isWhole: false, holds: [], ends: [], unknown: [] };

describe('Billing CloudEvent', () => {
  it.each([
    [
      'charter.plan.assigned',
      { line: 'second', plan: 'solo', subscription: 's-1' },
      { holds: [{ kind: 'plan', line: 'second', plan: 'solo' }], subscription: 's-1' },
    ],
    ['charter.plan.ended', { line: 'second' }, { ends: [{ kind: 'plan', line: 'second' }] }],
    [
      'charter.add-on.purchased',
      { purchase: 'p-1', addOn: 'feedback', quantity: 2 },
      { holds: [{ kind: 'add-on', purchase: 'p-1', addOn: 'feedback', quantity: 2 }] },
    ],
    ['charter.add-on.cancelled', { purchase: 'p-1' }, { ends: [{ kind: 'add-on', purchase: 'p-1' }] }],
  ])('is translated to one fact: %s', (type, data, said) => {
    const found = read(type, data);
    expect(found).toEqual({ head: { ...head, type }, kind: 'fact', fact: { ...single, type, ...said } });
  });

  it('is ignored when it has a type that Charter does not use', () => {
    for (const type of ['charter.plan.renamed', 'constructor'])
      expect(read(type, { anything: 1 })).toMatchObject({ kind: 'ignored', reason: 'type-not-used', head });
  });

  it.each([
    ['charter.plan.assigned', { line: 'third', plan: 'solo' }],
    ['charter.plan.assigned', { line: 'second', plan: 'solo', customer: 'Ada' }],
    ['charter.plan.assigned', { line: 'second', plan: 'so\u0007lo' }],
    ['charter.plan.ended', {}],
    ['charter.add-on.purchased', { purchase: 'p-1', addOn: 'feed\u202eback', quantity: 1 }],
    ['charter.add-on.purchased', { purchase: 'p-1', addOn: 'feedback', quantity: 0 }],
    ['charter.add-on.purchased', { purchase: '__proto__', addOn: 'feedback', quantity: 1 }],
    ['charter.add-on.cancelled', undefined],
    ['charter.add-on.cancelled', ['p-1']],
  ])('is refused when its data is wrong: %s, %j', (type, data) => {
    expect(() => read(type, data)).toThrow();
  });

  it.each([
    ['another version of CloudEvents', { specversion: '0.3' }],
    ['no id', { id: '' }],
    ['no time', { time: undefined }],
    ['a time without its zone', { time: '2026-11-01T10:00:00' }],
    ['a subject that is not an organization id', { subject: 'Acme' }],
    ['no source', { source: undefined }],
    ['data in bytes', { data_base64: 'e30=' }],
    ['data that is not JSON', { datacontenttype: 'text/xml' }],
    ['an attribute that is an object', { customer: { name: 'Ada' } }],
  ])('is refused with %s', (_what, more) => {
    expect(BillingEvent.safeParse(event('charter.plan.ended', { line: 'second' }, more)).success).toBe(false);
  });

  it('may have extension attributes, which the standard allows', () => {
    const more = {
      traceparent: '00-1-2-03',
      partitionkey: 'a',
      sequence: 4,
      datacontenttype: 'application/cloudevents+json; charset=utf-8',
    };
    expect(BillingEvent.safeParse(event('charter.plan.ended', { line: 'second' }, more)).success).toBe(true);
  });

  it('may have optional attributes that are null, which the standard treats like absent attributes', () => {
    const unset = { datacontenttype: null, dataschema: null, traceparent: null, data_base64: null };
    const found = BillingEvent.safeParse(event('charter.plan.ended', { line: 'second' }, unset));
    expect(found.success && cloudEventFacts(found.data)).toEqual(read('charter.plan.ended', { line: 'second' }));
    expect(BillingEvent.safeParse(event('charter.plan.ended', { line: 'second' }, { time: null })).success).toBe(false);
  });

  it('produces a fact whose provider contains the source of the event', () => {
    const elsewhere = BillingEvent.parse(event('charter.plan.ended', { line: 'second' }, { source: 'crm' }));
    expect(cloudEventFacts(elsewhere).head.provider).toBe('cloudevents:crm');
  });
});
