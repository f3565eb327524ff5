import { resourcesByHand, schemaOf, Terms } from '@charter/organization';
import type { Entitlements } from '@charter/client';
import * as z from 'zod';
import { sampleEntitlements } from '../../../../../../test/journeys/pages/samples';
import { bounds, limitsByHand, wholeNumber } from './bounds';

type Schema = Readonly<{ properties: Readonly<Record<string, object>> }>;
const fieldsOf = (schema: z.ZodType): Schema['properties'] =>
  (z.toJSONSchema(schema, { io: 'input' }) as unknown as Schema).properties;
const printed = ({ min, max }: Readonly<{ min: number; max: number }>) => ({ minimum: min, maximum: max });

describe('The bounds of the fields for operators', () => {
  it('are the same as in the schemas of the commands', () => {
    const byHand = fieldsOf(schemaOf('ConfigureLimits'));
    for (const resource of resourcesByHand)
      expect(byHand[resource]).toMatchObject({ anyOf: [printed(bounds.amountByHand), { type: 'null' }] });
    expect(fieldsOf(schemaOf('ReportTraffic'))['views']).toMatchObject(printed(bounds.views));
    expect(fieldsOf(schemaOf('OverrideHardLimits'))['reason']).toMatchObject({ maxLength: bounds.reasonLength });
    expect(fieldsOf(Terms)['trafficPerMonth']).toMatchObject(printed(bounds.term));
  });

  it('exist for each limit that an operator can set by hand', () => {
    expect(limitsByHand(sampleEntitlements.limits as Entitlements['limits'])).toEqual(resourcesByHand);
  });

  it.each([
    ['0', 0],
    ['7', 7],
    ['1000000000', 1_000_000_000],
    ['1000000001', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['', undefined],
    ['99999999999999999999', undefined],
  ])('decide which typed texts are valid amounts: %j is read as %j', (text, amount) => {
    expect(wholeNumber(text, bounds.amountByHand)).toBe(amount);
  });
});
