export { checkCatalogue, type CatalogueProblem } from './check';
export type { AddOnForSale, ForSale, PlanForSale, SoldProduct } from './for-sale';
export { builtInCatalogue, CatalogueRefused, type CatalogueSettings, loadCatalogue } from './load';
