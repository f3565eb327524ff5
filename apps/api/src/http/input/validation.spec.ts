import { z } from 'zod';
import { ProblemError } from '../problems/problem';
import { validated } from './validation';

const schema = z.strictObject({ name: z.string(), inner: z.strictObject({ n: z.int() }).optional() });

const errorsOf = (value: unknown, expected: z.ZodType = schema): unknown => {
  try {
    return validated(expected, value);
  } catch (error) {
    if (error instanceof ProblemError) return [error.status, (error.facts as { errors: unknown }).errors];
    throw error;
  }
};

describe('Validation', () => {
  it('names each wrong field by its path, and names each unknown field', () => {
    expect(errorsOf({ inner: { n: 1, id: 2 }, role: 'x', plan: 'y' })).toEqual([
      400,
      [
        { path: 'name', message: 'is missing' },
        { path: 'inner.id', message: 'is not known here' },
        { path: 'role', message: 'is not known here' },
        { path: 'plan', message: 'is not known here' },
      ],
    ]);
  });

  it('says in plain words which kinds of an object are known', () => {
    const kinds = z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('AddSite') }),
      z.strictObject({ type: z.literal('RemoveSite') }),
    ]);
    const path = 'type';
    expect(errorsOf({ type: 'AddSight' }, kinds)).toEqual([
      400,
      [{ path, message: 'must be one of: AddSite, RemoveSite' }],
    ]);
    expect(errorsOf({}, kinds)).toEqual([400, [{ path, message: 'is missing' }]]);
  });

  it('lists at most twenty errors', () => {
    const strange = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 0]));
    expect((errorsOf({ name: 'x', ...strange }) as [number, unknown[]])[1]).toHaveLength(20);
  });
});
