import {
  BrowserClient,
  defaultStackParser,
  getCurrentScope,
  globalHandlersIntegration,
  makeFetchTransport,
} from '@sentry/browser';
import { scrubbed } from './scrub';

type Reporting = Readonly<{ dsn: string; release: string; early: readonly unknown[] }>;

/**
 * Starts to report errors to Sentry, first the errors that happened before the start. The reports contain no
 * breadcrumbs, sessions, traces or people.
 */
export function startSentry({ dsn, release, early }: Reporting): void {
  const client = new BrowserClient({
    dsn,
    release,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [globalHandlersIntegration()],
    maxBreadcrumbs: 0,
    beforeSend: scrubbed,
  });
  getCurrentScope().setClient(client);
  client.init();
  for (const error of early) client.captureException(error);
}
