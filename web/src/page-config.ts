/** What a page knows before its first call. The server puts it into <meta> elements (`web/README.md`). */
export type PageConfig = Readonly<{
  product: string;
  productKey: string;
  release: string;
  /** `on` in demo mode, else empty. */
  demo: string;
  /** What follows `/auth/go/`; may be empty. */
  googleToken: string;
  /** Other origins that may be gone to after logging in. */
  redirectOrigins: readonly string[];
  /** Console only: who is signed in. */
  account: string;
  accountName: string;
  /** `operator`, `auditor` or empty. */
  platformRole: string;
  /** Files that the next page will want, fetched once somebody logs in. */
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
    next: list('next'),
  };
}
