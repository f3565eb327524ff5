import type { PageConfig } from './page-config';

/** The configuration of a page for which the server has filled in no optional values. */
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
