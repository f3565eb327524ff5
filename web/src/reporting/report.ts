/**
 * Reports errors to the Sentry address (DSN) in the page's configuration. Without a Sentry address, the page loads no
 * code for error reports.
 */
export function reportErrors(page: Document): void {
  const fact = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="charter-${name}"]`)?.content;
  const dsn = fact('sentry-dsn');
  if (!dsn) return;
  const early: unknown[] = [];
  const keep = ({ error, reason }: { error?: unknown; reason?: unknown }) => void early.push(error ?? reason);
  addEventListener('error', keep);
  addEventListener('unhandledrejection', keep);
  void import('./sentry')
    .then(({ startSentry: begin }) => {
      removeEventListener('error', keep);
      removeEventListener('unhandledrejection', keep);
      begin({ dsn, release: fact('release') ?? '', early });
    })
    .catch(() => undefined); // the pages work without reporting
}
