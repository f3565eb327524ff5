export { type BillingKeeping, billingKeeping, type BillingNeeds, type StoredMessage, type Taken } from './keeping';
export { followCustomers } from './customers';
export { handleOf, messageOf, type NamedMessage, speakerOf } from './named';
