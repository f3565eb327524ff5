import type { PageConfig } from './page-config';

/** The configuration of a page without any value from the server. */
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
