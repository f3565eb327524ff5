import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { project, type SqliteLog, type Phase } from '@charter/event-log';
import { organizationView } from '@charter/organization-view';
import type { Charter, Settings } from '@charter/wiring';
import express from 'express';
import type { Logger } from 'pino';
import { ApiModule } from './api.module';
import { afterwards } from './afterwards';
import { isDemo } from './demo';
import { decodable } from './federation/failure';
import { hotDoor } from './hot';
import { sendMails } from './mail/sending';
import { countsFor } from './metrics';
import { publishOpenApi } from './openapi';
import { builtPages } from './pages/built';
import { readingFrom } from './reading';
import { type Reporting, reportingTo } from './reporting';
import { jsonBodies } from './request/body';
import { addressOf } from './request/address';
import { callersByKey } from './request/caller';
import { keyUses } from './request/key-use';
import { forgeryGuard } from './request/forgery';
import { onlyPaths } from './request/target';
import { callersBy, callersBySession, signedInBy } from './request/signed-in';
import { visitorsOf } from './request/visitor';
import { securityHeaders } from './request/headers';
import { refuseUnreadable } from './request/unreadable';
import type { Runtime } from './runtime';
import { recordEndedOverrides } from './ended-overrides';

/** Charter over HTTP, while it runs. */
export type Serving = Readonly<{ url: string; runtime: Runtime; stop: () => Promise<void> }>;

/** How long requests under way may take when a stop was asked for (`acceptance.md` Q7). */
const DRAIN_MS = 10_000;

/** How often counters of attempts whose window has ended are forgotten. */
const SWEEP_MS = 10 * 60_000;

/** Starts everything over stores that are open: projection, routes, both doors. Stops in the opposite order. */
export async function serve(charter: Charter, logger: Logger, now: () => number = Date.now): Promise<Serving> {
  const { settings, moved } = settingsThatMove(charter.settings);
  const demo = await isDemo(charter.documents.marks);
  const runtime = runtimeOver({ ...charter, settings }, await reportingTo(settings), logger, now, demo);
  const overrides = recordEndedOverrides(runtime);
  const sweeping = setInterval(() => void sweep(runtime), SWEEP_MS).unref();
  const app = await nest(runtime);
  const server = createServer(
    { maxHeaderSize: 16_384, requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 },
    onlyPaths(hotDoor(runtime, app.listener), settings),
  );
  server.on('clientError', refuseUnreadable(settings));
  const metrics =
    settings.metricsPort === undefined
      ? undefined
      : await listen(createServer(metricsOnly(runtime)), settings.metricsPort, settings.host);
  await listen(server, settings.port, settings.host);
  const { port } = server.address() as AddressInfo;
  moved(port);

  return {
    url: settings.port === 0 ? `http://localhost:${port}` : settings.publicUrl,
    runtime,
    stop: async () => {
      runtime.stop();
      await drained(server);
      await runtime.afterwards.settled();
      metrics?.close();
      overrides.stop();
      await runtime.mails.stop();
      clearInterval(sweeping);
      await runtime.projection.stop();
      await runtime.lease.release();
      await app.close();
      await charter.close();
      await runtime.reporting.close();
    },
  };
}

/** Port 0 is any free one, known only once it listens: what people see follows it, unless a setting says what they see. */
function settingsThatMove(given: Settings) {
  let { publicUrl } = given;
  const settings: Settings = {
    ...given,
    get publicUrl() {
      return publicUrl;
    },
  };
  const moved = (port: number) => {
    if (publicUrl === 'http://localhost:0') publicUrl = `http://localhost:${port}`;
  };
  return { settings, moved };
}

/** What has ended by itself is forgotten: windows of attempts, sessions, links. */
const sweep = ({ documents: { attempts, people }, now, logger, settings }: Runtime) => {
  const ago = (ms: number) => new Date(now() - ms).toISOString();
  const limits = { usedBefore: ago(settings.sessionIdle), beganBefore: ago(settings.sessionMax) };
  return Promise.all([attempts.sweep(now()), people.sessions.sweep(limits), people.links.sweep(now())]).catch(
    (error: unknown) => logger.warn({ why: String(error) }, 'what has ended was not swept'),
  );
};

function runtimeOver(charter: Charter, reporting: Reporting, logger: Logger, now: () => number, demo: boolean) {
  const { log, view, documents, settings } = charter;
  let stopping = false;
  const lease = documents.lease('projections');
  const after = afterwards(logger);
  const visitors = visitorsOf(charter, logger, now, (request) => addressOf(request, settings));
  const people = callersBySession(documents, settings, visitors, now);
  const reading = readingFrom(charter, now, () => !untrusted.has(projection.now().phase));
  const counts = countsFor({
    lagSeconds: () => projection.now().lagSeconds,
    lagEvents: () => projection.lagEvents(),
    parked: () => projection.now().parked.size,
    walBytes: () => (log as Partial<SqliteLog>).walBytes?.() ?? 0,
    mailsWaiting: () => documents.mails.waiting(),
  });
  const projection = project(log, view, organizationView, {
    lease,
    now,
    alarm: ({ event, why, attempts, view: name }) => {
      counts.parked(name);
      const { stream, revision, position, type } = event;
      logger.error(
        { view: name, stream, revision: String(revision), position, type, attempts, why: String(why) },
        'a stream was parked',
      );
    },
    onTrouble: (why) => {
      counts.trouble('projection');
      logger.warn({ why: String(why) }, 'the projection is waiting out a failure');
    },
    onCommitted: (revisions) => reading.committed(revisions),
  });
  return {
    ...charter,
    afterwards: after,
    reading,
    projection,
    lease,
    logger,
    counts,
    reporting,
    mails: sendMails({ ...charter, logger, counts, now }),
    now,
    visitors,
    signedIn: signedInBy(people),
    callers: callersBy(callersByKey(documents, settings, now, keyUses(charter, after)), people),
    pages: builtPages(),
    demo,
    stopping: () => stopping,
    stop: () => void (stopping = true),
  };
}

/** While the documents are of another log or of other code, nobody is told what they say. */
const untrusted: ReadonlySet<Phase> = new Set<Phase>(['rebuild-needed', 'outdated', 'failed']);

/** Express with our own reading of bodies and headers, and Nest's routes. */
async function nest(runtime: Runtime) {
  const handler = express();
  handler.set('etag', false); // the revision is the ETag
  handler.set('x-powered-by', false);
  handler.set('query parser', 'simple');
  handler.use(securityHeaders(runtime.settings));
  handler.use(measured(runtime));
  handler.use(forgeryGuard(runtime));
  handler.use('/auth', decodable);
  handler.use(jsonBodies);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest takes plain options for a class
  const options: NestApplicationOptions = { bodyParser: false, logger: ['error', 'warn'] };
  const app = await NestFactory.create(ApiModule.over(runtime), new ExpressAdapter(handler), options);
  publishOpenApi(app, runtime.settings.release, runtime.demo);
  await app.init();
  return { listener: handler as RequestListener, close: () => app.close() };
}

const measured =
  ({ counts }: Runtime): express.RequestHandler =>
  (request, response, next) => {
    const began = performance.now();
    response.on('finish', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      counts.answered(
        typeof route === 'string' ? `${request.method} ${route}` : 'other',
        response.statusCode,
        (performance.now() - began) / 1000,
      );
    });
    next();
  };

const metricsOnly =
  ({ counts }: Runtime): RequestListener =>
  (_request, response) => {
    void counts.registry
      .metrics()
      .then((text) => response.setHeader('Content-Type', counts.registry.contentType).end(text));
  };

const listen = (server: Server, port: number, host: string) =>
  new Promise<Server>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });

/** No new connections; those under way finish, idle ones are cut, and after a while all of them. */
async function drained(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const nudge = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
  clearInterval(nudge);
  server.closeAllConnections();
  await closed;
}
