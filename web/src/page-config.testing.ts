import type { PageConfig } from './page-config';

/** What a page knows that nobody told anything. */
export const emptyPageConfig: PageConfig = {
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
