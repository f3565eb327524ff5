/**
 * The configuration that a page has before its first request. The server writes these values into <meta> elements
 * (`web/README.md`).
 */
export type PageConfig = Readonly<{
  product: string;
  productKey: string;
  release: string;
  /** `on` in demo mode, otherwise empty. */
  demo: string;
  /** The token after `/auth/go/` in the URL of the Google sign-in; it can be empty. */
  googleToken: string;
  /** Further origins to which the browser may be redirected after the log-in. */
  redirectOrigins: readonly string[];
  /** Only in the console: the id and the name of the signed-in person's account. */
  account: string;
  accountName: string;
  /** `operator`, `auditor` or empty. */
  platformRole: string;
  /**
   * Only in the console: the number of seconds between two signed checkpoints; empty if the page does not know the
   * number.
   */
  checkpointEvery: string;
  /** The URLs of the files of the next page, which the sign-in page fetches in advance. */
  next: readonly string[];
}>;

export function pageConfigOf(page: Document): PageConfig {
  const fact = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="charter-${name}"]`)?.content ?? '';
  const list = (name: string) => fact(name).split(' ').filter(Boolean);
  return {
    product: fact('product'),
    productKey: fact('product-key'),
    release: fact('release'),
    demo: fact('demo'),
    googleToken: fact('google-token'),
    redirectOrigins: list('redirect-origins'),
    account: fact('account'),
    accountName: fact('account-name'),
    platformRole: fact('platform-role'),
    checkpointEvery: fact('checkpoint-every'),
    next: list('next'),
  };
}
