export {
  type BillingKeeping,
  billingKeeping,
  type BillingNeeds,
  type StoredMessage,
  type Taken,
} from './billing-inbox';
export { followCustomers } from './restore-customers';
export { handleOf, messageOf, type NamedMessage, speakerOf } from './message-handles';
