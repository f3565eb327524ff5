import type { Grants, ProductLine, Terms } from './terms';

/** The products for sale today. Only decisions and the process use it; a replay never does. */
export interface Catalogue {
  /** The terms of a plan; undefined: it is not for sale. */
  terms(line: ProductLine, plan: string): Terms | undefined;
  /** The grants of one unit of an add-on; undefined: it is not for sale. */
  grants(addOn: string): Grants | undefined;
}
