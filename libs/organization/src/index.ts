export * from './catalogue';
export {
  type CommandData,
  type CommandsWith,
  type CommandType,
  createdIdOf,
  listCommands,
  namesEarlierSale,
  withNewId,
  type OrganizationCommand,
  schemaOf,
  setters,
  type OptionValues,
  CommandInput,
  permissions,
} from './commands';
export * from './decide';
export { finiteOrNull, nameOfOffer, noSuchSite, notAllowed, printBecause, type RefusalReason } from './decision';
export { noSuchDomain } from './decisions/email-domains';
export { each, keysOf } from './each';
export * from './entitlements';
export * from './events';
export * from './hostname';
export { heldSales, lastEndedSale, saleInForce } from './sales/effective-dates';
export { isDeepEqual, sortedJson } from './sales/deep-equal';
export { allEntries, type SaleEntry, type ActiveSale } from './sales/entries';
export { repetitionsOf, startOfSale } from './sales/runs';
export { readables, type ActorStanding, standingOf } from './standing';
export * from './state';
export * from './permission';
export * from './stream';
export * from './terms';
export * as words from './words';
