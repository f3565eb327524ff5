export * from './cloud-events';
export { type BillingCommand, commandsFor } from './commands';
export * from './fact';
export { type StripeOptions, stripeFacts } from './stripe';
export { dismissFact, overtakes, rereadFact, quarantineReason } from './waiting-messages';
export { type MessageOutcome, messageOutcomes, outcomeOf } from './outcome';
export { withCurrentSubscription, needsCurrentSubscription } from './current-subscription';
export { reconciled } from './reconciliation';
export {
  type CheckoutItem,
  checkoutItems,
  type CheckoutPrices,
  type NotSold,
  notSoldReasons,
  type Sellable,
} from './checkout/checkout-items';
export { checkoutProgress, type CheckoutSession, checkoutStates } from './checkout/checkout-state';
