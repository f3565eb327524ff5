export { type CatalogueProblem } from './check';
export type { ForSale } from './for-sale';
export { builtInCatalogue, CatalogueRefused, loadCatalogue } from './load';
