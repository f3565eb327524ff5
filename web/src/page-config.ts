/** The values that a page has before its first request. The server puts them into <meta> elements (`web/README.md`). */
export type PageConfig = Readonly<{
  product: string;
  productKey: string;
  release: string;
  /** `on` in demo mode, otherwise empty. */
  demo: string;
  /** The part of the URL after `/auth/go/`, which can be empty. */
  googleToken: string;
  /** Further origins to which logging in may redirect. */
  redirectOrigins: readonly string[];
  /** Only in the console: the id and the name of the signed-in person's account. */
  account: string;
  accountName: string;
  /** `operator`, `auditor` or empty. */
  platformRole: string;
  /** Files of the next page, which the sign-in page fetches in advance. */
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
