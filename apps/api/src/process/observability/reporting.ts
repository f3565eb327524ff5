import type { ErrorEvent, StackFrame } from '@sentry/node';
import type { Settings } from '@charter/settings';

/** Where mistakes of ours are told to whoever mends them; refusals and broken dependencies are not mistakes. */
export type Reporting = Readonly<{
  report: (error: unknown, at: ErrorLocation) => void;
  /** Sends what is on its way; takes nothing afterwards. */
  close: () => Promise<void>;
}>;

/** Where it happened, by words of ours: never an address as it was typed. */
type ErrorLocation = Readonly<{
  kind: 'request' | 'rejection' | 'exception';
  /** The request's id, under which the log says more. */
  request?: string | undefined;
  /** Such as `GET /api/v1/organizations/:id`. */
  route?: string | undefined;
}>;

const FLUSH_MS = 2_000;

/**
 * Sentry, by `SENTRY_DSN`; without it nothing of it is even loaded. It is told the kind of error, its stack, the release, the route
 * and the request's id. A message may quote what somebody typed, so it stays in the log, where the request's id leads.
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
    integrations: [], // nothing is instrumented, and nothing is collected by itself
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
      client.captureException(error, undefined, scope);
    },
    close: async () => {
      await client.close(FLUSH_MS);
    },
  };
}

/** Such as `EACCES` or `ERR_INVALID_ARG_TYPE`. */
const CODE = /^[A-Z][A-Z0-9_]{2,60}$/;

/** What may leave: these fields and no other, whatever a later release of the library collects (`acceptance.md` T1). */
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
    value: 'The log says more, under the id of the request.',
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

/** A place in our code, without the folder of whoever runs it. */
const framed = ({ filename = '', function: name, lineno, colno, in_app }: StackFrame): StackFrame => ({
  filename: /(?:dist|node_modules|apps|libs)\/(?!.*\/(?:dist|node_modules)\/).*$|^node:.*$|[^/]*$/.exec(filename)![0],
  ...(name !== undefined && { function: name }),
  ...(lineno !== undefined && { lineno }),
  ...(colno !== undefined && { colno }),
  ...(in_app !== undefined && { in_app }),
});
