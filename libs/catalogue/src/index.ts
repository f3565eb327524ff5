export { type CatalogueProblem, checkCatalogue } from './check';
export type { ForSale } from './for-sale';
export { printedCatalogue, printedCatalogueSchema } from './printed-catalogue';
export { builtInCatalogue, CatalogueRefused, loadCatalogue } from './load';
