export {
  type BillingService,
  billingService,
  type BillingDependencies,
  type StoredMessage,
  type MessageResult,
} from './billing-inbox';
export { replayCustomerLinks } from './restore-customers';
export { handleOf, messageKeyOf, type MessageKey, providerNameOf } from './message-handles';
