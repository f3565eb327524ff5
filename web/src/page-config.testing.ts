import type { Facts } from './page-config';

/** What a page knows that nobody told anything. */
export const noFacts: Facts = {
  product: 'Pulse',
  productKey: 'pulse',
  release: 'test',
  demo: '',
  googleToken: '',
  redirectOrigins: [],
  account: '',
  accountName: '',
  platformRole: '',
  next: [],
};
