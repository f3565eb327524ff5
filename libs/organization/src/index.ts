export * from './catalogue';
export {
  type CommandData,
  type CommandType,
  createdIdOf,
  withNewId,
  type OrganizationCommand,
  permissions,
  publicCommands,
  schemaOf,
  CommandInput,
} from './commands';
export * from './decide';
export { each } from './each';
export { finiteOrNull, printBecause, type Decision, type RefusalReason } from './decision';
export * from './entitlements';
export * from './events';
export * from './hostname';
export { saleInForce, type SaleEntry, type ActiveSale } from './effective-dates';
export * from './state';
export * from './permission';
export * from './stream';
export * from './terms';
export * as words from './words';
