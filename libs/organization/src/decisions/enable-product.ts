import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';

export const EnableProduct = z.strictObject({});
export type EnableProduct = z.infer<typeof EnableProduct>;

/**
 * A product that this command has enabled stays on even without a plan of the second product line (`decisions.md` 23).
 */
export function enableProduct(_: EnableProduct, { product }: Organization): Decision {
  return product?.enabled === true ? [] : [{ type: 'ProductEnabled', data: {} }];
}
