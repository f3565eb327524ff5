import type { Grants, ProductLine, Terms } from './terms';

/** The plans and add-ons that are for sale today. A decision reads the catalogue; a replay of events never does. */
export interface Catalogue {
  /** The terms of a plan; undefined if the plan is not for sale. */
  terms(line: ProductLine, plan: string): Terms | undefined;
  /** The grants of one unit of an add-on; undefined if the add-on is not for sale. */
  grants(addOn: string): Grants | undefined;
  /** All plans for sale. The refusal of an unknown plan lists them. */
  plans(): readonly Readonly<{ line: ProductLine; plan: string }>[];
  addOns(): readonly Readonly<{ addOn: string }>[];
}
