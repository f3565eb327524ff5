import type { BrowserContext, ConsoleMessage, Request, WebError } from 'playwright-core';

/** Records the requests and the complaints (faults) in the windows of one person. */
export type Watch = Readonly<{
  /**
   * Events that make every journey fail: errors in the console, uncaught errors of a page, violations of the content
   * security policy, requests to unknown origins.
   */
  complaints: string[];
  /** Every request so far. */
  requests: readonly Request[];
  /** Allows this path to answer with an error, which the browser reports in its console. */
  mayFail: (path: string) => void;
  /** Allows requests to another origin, such as a provider. */
  maySee: (origin: string) => void;
  /** Stops the recording, because later events in the windows belong to another test. */
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
  const noteRequest = (request: Request) => {
    requests.push(request);
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !origins.has(origin)) complaints.push(`request: ${request.url()}`);
  };
  context.on('console', noted).on('weberror', failed).on('request', noteRequest);
  return {
    complaints,
    requests,
    mayFail: (path) => void failing.add(path),
    maySee: (origin) => void origins.add(origin),
    end: () => void context.off('console', noted).off('weberror', failed).off('request', noteRequest),
  };
}

/** The message that the browser itself writes when a permitted path answers with an error or not at all. */
const isExpected = (message: ConsoleMessage, failing: ReadonlySet<string>) =>
  message.text().startsWith('Failed to load resource:') && failing.has(pathOf(message.location().url));

const pathOf = (url: string) => URL.parse(url)?.pathname ?? '';
