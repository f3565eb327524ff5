import type { ErrorEvent, StackFrame } from '@sentry/node';
import type { Settings } from '@charter/settings';
import { withoutMessage } from './logged-error';

/** Reports defects of Charter to its developers. Refusals and failures of dependencies are not defects. */
export type Reporting = Readonly<{
  report: (error: unknown, at: ErrorLocation) => void;
  /** Sends pending reports, and accepts no further reports. */
  close: () => Promise<void>;
}>;

/** Where an error happened, without any text from the caller, in particular without the requested URL. */
type ErrorLocation = Readonly<{
  kind: 'request' | 'rejection' | 'exception';
  /** The request's id; the log contains the caller and the organization under this id. */
  request?: string | undefined;
  /** The method and the route, for example `GET /api/v1/organizations/:id`. */
  route?: string | undefined;
}>;

const FLUSH_MS = 2_000;

/**
 * Reports to Sentry if `SENTRY_DSN` is set. Without `SENTRY_DSN`, the process does not load the Sentry library. A
 * report contains the error's type, its stack, the release, the route and the request's id. The error's message is left
 * out, because it may contain text that a caller typed. The log leaves the message out, too (`loggedError`).
 */
export async function createReporting({
  sentryDsn,
  release,
}: Pick<Settings, 'sentryDsn' | 'release'>): Promise<Reporting> {
  if (sentryDsn === undefined) return { report: () => undefined, close: () => Promise.resolve() };
  const { defaultStackParser, makeNodeTransport, NodeClient, Scope } = await import('@sentry/node');
  const client = new NodeClient({
    dsn: sentryDsn,
    release,
    transport: makeNodeTransport,
    stackParser: defaultStackParser,
    integrations: [], // Sentry instruments nothing and collects nothing by itself
    includeServerName: false,
    enableRuntimeChannelInjection: false,
    sendClientReports: false,
    beforeSend: allowed,
  });
  client.init();
  return {
    report: (error, { kind, request, route }) => {
      const scope = new Scope();
      const code = (error as { code?: unknown } | null | undefined)?.code;
      const tags = { kind, request, route, code: typeof code === 'string' && CODE.test(code) ? code : undefined };
      scope.setTags(tags);
      client.captureException(withoutMessage(error), undefined, scope);
    },
    close: async () => {
      await client.close(FLUSH_MS);
    },
  };
}

/** Matches a code such as `EACCES` or `ERR_INVALID_ARG_TYPE`. */
const CODE = /^[A-Z][A-Z0-9_]{2,60}$/;

/**
 * Keeps only the listed fields in a report, even if a later version of the library collects more fields
 * (`acceptance.md` T1).
 */
function allowed({
  event_id,
  timestamp,
  level,
  platform,
  release,
  environment,
  tags,
  exception,
}: ErrorEvent): ErrorEvent {
  const values = exception?.values?.map(({ type, stacktrace }) => ({
    type: type !== undefined && NAME.test(type) ? type : 'Error',
    value: 'Charter reports no messages, because a message may quote a person.',
    stacktrace: { frames: stacktrace?.frames?.map(framed) ?? [] },
  }));
  return {
    type: undefined,
    ...(event_id !== undefined && { event_id }),
    ...(timestamp !== undefined && { timestamp }),
    ...(level !== undefined && { level }),
    ...(platform !== undefined && { platform }),
    ...(release !== undefined && { release }),
    ...(environment !== undefined && { environment }),
    ...(values && { exception: { values } }),
    tags: Object.fromEntries(
      Object.entries(tags ?? {}).filter(([name, value]) => TAGS.has(name) && value !== undefined),
    ),
  };
}
const TAGS: ReadonlySet<string> = new Set(['kind', 'request', 'route', 'code']);
const NAME = /^[A-Za-z][A-Za-z0-9]{0,60}$/;

/** A stack frame in Charter's code, without the path of the installation. */
const framed = ({ filename = '', function: name, lineno, colno, in_app }: StackFrame): StackFrame => ({
  filename: /(?:dist|node_modules|apps|libs)\/(?!.*\/(?:dist|node_modules)\/).*$|^node:.*$|[^/]*$/.exec(filename)![0],
  ...(name !== undefined && { function: name }),
  ...(lineno !== undefined && { lineno }),
  ...(colno !== undefined && { colno }),
  ...(in_app !== undefined && { in_app }),
});
