import type { BrowserContext, ConsoleMessage, Request, WebError } from 'playwright-core';

/** What goes on in the windows of one person. */
export type Watch = Readonly<{
  /** Whatever no journey may meet: errors in the console or of a page, violations of the policy, requests to strangers. */
  complaints: string[];
  /** Every request so far. */
  requests: readonly Request[];
  /** Answers to this path may be refusals, which a browser notes in its console. */
  mayFail: (path: string) => void;
  /** Another party that this journey leads to, such as a provider. */
  maySee: (origin: string) => void;
  /** Whatever happens in the windows from now on belongs to somebody else. */
  end: () => void;
}>;

export function watched(context: BrowserContext, home: string): Watch {
  const complaints: string[] = [];
  const requests: Request[] = [];
  const failing = new Set<string>();
  const origins = new Set([home]);

  const noted = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !isExpected(message, failing))
      complaints.push(`console: ${message.text()} (${message.location().url})`);
  };
  const failed = (error: WebError) => {
    complaints.push(`page: ${error.error().stack ?? error.error().message}`);
  };
  const asked = (request: Request) => {
    requests.push(request);
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !origins.has(origin)) complaints.push(`request: ${request.url()}`);
  };
  context.on('console', noted).on('weberror', failed).on('request', asked);
  return {
    complaints,
    requests,
    mayFail: (path) => void failing.add(path),
    maySee: (origin) => void origins.add(origin),
    end: () => void context.off('console', noted).off('weberror', failed).off('request', asked),
  };
}

/** The browser's own note that an answer was a refusal, or that none came. */
const isExpected = (message: ConsoleMessage, failing: ReadonlySet<string>) =>
  message.text().startsWith('Failed to load resource:') && failing.has(pathOf(message.location().url));

const pathOf = (url: string) => URL.parse(url)?.pathname ?? '';
