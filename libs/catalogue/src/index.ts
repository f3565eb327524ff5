export { checkCatalogue, type Problem } from './check';
export type { AddOnForSale, ForSale, PlanForSale, Sold } from './for-sale';
export { builtInCatalogue, CatalogueRefused, type CatalogueSettings, loadCatalogue } from './load';
