import type { BrowserContext, ConsoleMessage, Request, WebError } from 'playwright-core';

/** Records the requests and the faults (complaints) in the browser windows of one person. */
export type Watch = Readonly<{
  /**
   * Events that make every journey fail: errors in the console, uncaught errors, violations of the content security
   * policy, requests to unknown origins.
   */
  complaints: string[];
  /** Every request so far. */
  requests: readonly Request[];
  /**
   * Allows this path to answer with an error, which the browser reports in its console. If `status` is given, it is the
   * only error status that the path may answer with.
   */
  mayFail: (path: string, status?: number) => void;
  /** Allows requests to another origin, such as a provider. */
  maySee: (origin: string) => void;
  /** Stops the recording, because later events in the windows belong to another test. */
  end: () => void;
}>;

export function watched(context: BrowserContext, home: string): Watch {
  const complaints: string[] = [];
  const requests: Request[] = [];
  const failing = new Map<string, number | undefined>();
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
    mayFail: (path, status) => void failing.set(path, status),
    maySee: (origin) => void origins.add(origin),
    end: () => void context.off('console', noted).off('weberror', failed).off('request', noteRequest),
  };
}

/** Whether the browser itself wrote this message, because a path that may fail answered with an error or not at all. */
function isExpected(message: ConsoleMessage, failing: ReadonlyMap<string, number | undefined>): boolean {
  const path = pathOf(message.location().url);
  if (!failing.has(path)) return false;
  const status = failing.get(path);
  const answer = status === undefined ? '' : ` the server responded with a status of ${status} `;
  return message.text().startsWith(`Failed to load resource:${answer}`);
}

const pathOf = (url: string) => URL.parse(url)?.pathname ?? '';
