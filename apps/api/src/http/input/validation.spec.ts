import { z } from 'zod';
import { ProblemError } from '../problems/problem';
import { validated } from './validation';

const schema = z.strictObject({ name: z.string(), inner: z.strictObject({ n: z.int() }).optional() });

const errorsOf = (value: unknown): unknown => {
  try {
    return validated(schema, value);
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

  it('lists at most twenty errors', () => {
    const strange = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 0]));
    expect((errorsOf({ name: 'x', ...strange }) as [number, unknown[]])[1]).toHaveLength(20);
  });
});
