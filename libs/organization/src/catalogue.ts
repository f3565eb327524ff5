import type { Grants, ProductLine, Terms } from './terms';

/** What is for sale today. Only decisions and the edge ever hold one; history is never read with it. */
export interface Catalogue {
  /** The terms of a plan, or nothing if it is not for sale. */
  terms(line: ProductLine, plan: string): Terms | undefined;
  /** What one unit of an add-on grants, or nothing if it is not for sale. */
  grants(addOn: string): Grants | undefined;
}
