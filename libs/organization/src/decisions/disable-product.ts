import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';

export const DisableProduct = z.strictObject({});
export type DisableProduct = z.infer<typeof DisableProduct>;

/** Switches off all seventeen features, even those that plans and add-ons grant (`decisions.md` 23). */
export function disableProduct(_: DisableProduct, { product }: Organization): Decision {
  return product?.enabled === false ? [] : [{ type: 'ProductDisabled', data: {} }];
}
