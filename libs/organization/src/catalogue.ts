import type { Grants, ProductLine, Terms } from './terms';

/** The plans and add-ons that are for sale today. Only decisions and the process read it; a replay never does. */
export interface Catalogue {
  /** The terms of a plan; undefined if the plan is not for sale. */
  terms(line: ProductLine, plan: string): Terms | undefined;
  /** The grants of one unit of an add-on; undefined if the add-on is not for sale. */
  grants(addOn: string): Grants | undefined;
  /** All that is for sale, for the refusal of an unknown name. */
  plans(): readonly Readonly<{ line: ProductLine; plan: string }>[];
  addOns(): readonly Readonly<{ addOn: string }>[];
}
