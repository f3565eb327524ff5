import type { PageConfig } from './page-config';

/** The configuration of a page without optional values. */
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
  checkpointEvery: '',
  next: [],
};
