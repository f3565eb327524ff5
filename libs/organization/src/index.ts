export * from './catalogue';
export {
  type CommandData,
  createdIdOf,
  withNewId,
  type OrganizationCommand,
  schemaOf,
  CommandInput,
  permissions,
} from './commands';
export * from './decide';
export { each } from './each';
export { finiteOrNull, printBecause, type RefusalReason } from './decision';
export * from './entitlements';
export * from './events';
export * from './hostname';
export { saleInForce, type SaleEntry, type ActiveSale } from './effective-dates';
export * from './state';
export * from './permission';
export * from './stream';
export * from './terms';
export * as words from './words';
