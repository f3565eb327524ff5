export { type CatalogueProblem } from './check';
export type { ForSale } from './for-sale';
export { printedCatalogue, printedCatalogueSchema } from './printed-catalogue';
export { builtInCatalogue, CatalogueRefused, loadCatalogue } from './load';
