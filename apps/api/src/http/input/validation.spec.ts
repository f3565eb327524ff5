import { z } from 'zod';
import { ProblemError } from '../problems/problem';
import { validated } from './validation';

const schema = z.strictObject({ name: z.string(), inner: z.strictObject({ n: z.int() }).optional() });

const problemOf = (value: unknown, expected: z.ZodType = schema): ProblemError => {
  try {
    validated(expected, value);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('The value is valid.');
};
const errorsOf = (value: unknown, expected: z.ZodType = schema): unknown => {
  const { status, facts } = problemOf(value, expected);
  return [status, (facts as { errors: unknown }).errors];
};
const strange = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0]));

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
    expect((errorsOf({ name: 'x', ...strange(500) }) as [number, unknown[]])[1]).toHaveLength(20);
  });

  it.each([
    [3, ''],
    [4, '; and 1 more error'],
    [500, '; and 497 more errors'],
  ])('names the first three of %i errors in its sentence, and says how many more there are', (count, more) => {
    const first = [0, 1, 2].map((index) => `f${index}: is not known here`).join('; ');
    expect(problemOf({ name: 'x', ...strange(count) }).message).toBe(`${first}${more}`);
  });
});
