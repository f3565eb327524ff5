import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Charter, sharedSecretsCheck } from '@charter/application';
import { momentAt } from '@charter/decider';
import { StoreRefused } from '@charter/event-log';
import { isOnLoopback, mayHaveSeveralProcesses, type Settings } from '@charter/settings';
import type { Logger } from 'pino';
import { createRuntime } from './assembly';
import { retryUnfinishedMessages } from '../billing/unfinished-messages';
import { demoPeopleIn, isDemo } from '../demo/demo';
import { createGoogleStandIn, usesGoogleStandIn, withGoogleStandIn } from '../demo/google/google-stand-in';
import { metricsListener, createNestApplication } from './listeners';
import { drain, closingListener } from './draining';
import { type Clock, type Stopwatch, systemClock } from './parts/clock';
import { shutDownInOrder } from './shutdown';
import { recordEndedOverrides } from '../organizations/ended-overrides';
import { replayClosingsAtStart, replayAccountChangesAtStart, replayMissedErasures } from './restore-detection';
import { scheduleDomainChecks } from '../sign-in/domains/domain-checks';
import { fastPath } from '../http/fast-path/fast-path';
import { followReads } from '../history/readers/follow-reads';
import { scheduleCheckpoints } from '../history/checkpoints/checkpoint-schedule';
import { createReporting } from './observability/reporting';
import { allowFlagOrigins } from '../http/ofrep-origins';
import { admission } from '../http/admission/admission';
import { operationsOnlyListener } from '../http/admission/operations-only';
import { oneAtATime } from '../http/admission/one-at-a-time';
import { refuseExpectation, requirePathTarget } from '../http/admission/request-path';
import { logUnexplainedFailures } from '../http/problems/unlogged-failures';
import { closeUnreadAnswers } from '../http/admission/unread-answers';
import { notingAnswers, refuseUnreadableRequest } from '../http/admission/unreadable-requests';
import type { Runtime } from './runtime';
import { leasesOf } from './leases';

/** A running HTTP server of Charter. */
export type Serving = Readonly<{
  url: string;
  runtime: Runtime;
  /** Checks the e-mail domains whose daily check is due. */
  checkDomains: () => Promise<void>;
  stop: () => Promise<void>;
}>;

/** The maximum number of milliseconds for which a stop waits for running requests (`acceptance.md` Q7). */
const DRAIN_MS = 8_000;

/**
 * The number of milliseconds between reporting "not ready" and refusing connections, so that a load balancer notices a
 * stop. If no other process uses the stores, the process refuses connections at once, because no other process could
 * answer.
 */
const NOTICE_MS = 2_000;

/** The maximum number of milliseconds for the whole stop, except for work that cannot be interrupted. */
const STOP_MS = 13_000;

/** The interval, in milliseconds, at which the process removes expired records and repeats missing erasures. */
const SWEEP_MS = 10 * 60_000;

/**
 * Starts the projection, the routes and the listeners over open stores. `stop` ends the projection, the routes and the
 * listeners in the opposite order.
 * @throws StoreRefused if another server with other secrets has started at the same time
 */
export async function serve(
  charter: Charter,
  logger: Logger,
  clock: Clock & Stopwatch = systemClock,
  logDropped: () => number = () => 0,
): Promise<Serving> {
  const { settings: moving, moved } = settingsThatMove(charter.settings);
  const { now } = clock;
  const followed = await replayAccountChangesAtStart(charter, logger, now());
  const demo = await isDemo(charter.database.marks);
  const googleStandIn = usesGoogleStandIn(moving, demo)
    ? createGoogleStandIn({ ...charter, settings: moving }, demoPeopleIn(await charter.log.identity()), now)
    : undefined;
  const settings = googleStandIn ? withGoogleStandIn(moving, googleStandIn) : moving;
  if (demo && !isOnLoopback(settings)) logger.warn(DEMO_IN_PUBLIC);
  const leases = leasesOf(charter.database, settings);
  const reporting = await createReporting(settings);
  // With other secrets, this process could not decrypt the waiting mails, and would give them up.
  const otherSecrets = await sharedSecretsCheck(charter.database.marks, settings)();
  if (otherSecrets !== undefined) throw new StoreRefused(otherSecrets);
  const { runtime, stopping } = createRuntime(
    { ...charter, settings },
    { reporting, logger, logDropped, clock, demo, googleStandIn, leases, followed },
  );
  const overrides = recordEndedOverrides(runtime);
  const checkpoints = scheduleCheckpoints(runtime);
  const readers = followReads(runtime, leases.projections);
  const billing = retryUnfinishedMessages(runtime, leases.outbox);
  const domains = scheduleDomainChecks(runtime, leases.outbox);
  const sweeping = setInterval(() => void sweep(runtime), SWEEP_MS).unref();
  const app = await createNestApplication(runtime);
  const inside = requirePathTarget(logUnexplainedFailures(chooseHandler(runtime, app.listener), runtime), settings);
  const admitted = closeUnreadAnswers(admission(inside, settings, runtime.counts.refusedForLoad));
  const { listener, part } = closingListener(allowFlagOrigins(admitted, settings));
  const server = createServer(
    {
      ...{ maxHeaderSize: 16_384, requestTimeout: 25_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 },
      // The interval at which Node checks these timeouts, so that a slow client is disconnected within 30 s
      // (`acceptance.md` Q4).
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false, // `requirePathTarget` refuses such requests with a problem document
    },
    notingAnswers(oneAtATime(listener, () => runtime.counts.refusedForLoad('connection'))),
  );
  server.on('clientError', refuseUnreadableRequest(settings));
  server.on('checkExpectation', refuseExpectation(settings));
  const metrics =
    settings.metricsPort === undefined
      ? undefined
      : await listen(createServer(metricsListener(runtime, settings)), settings.metricsPort, settings.host);
  await listen(server, settings.port, settings.host);
  const { port } = server.address() as AddressInfo;
  moved(port);
  const closings = replayClosingsAtStart(runtime);

  return {
    url: settings.port === 0 ? `http://localhost:${port}` : settings.publicUrl,
    runtime,
    checkDomains: domains.checkNow,
    stop: async () => {
      const deadline = performance.now() + STOP_MS;
      stopping();
      part();
      if (mayHaveSeveralProcesses(settings)) await pause(NOTICE_MS);
      await drain(server, DRAIN_MS);
      metrics?.close();
      overrides.stop();
      checkpoints.stop();
      clearInterval(sweeping);
      await shutDownInOrder(
        [
          { what: 'work after answers', do: runtime.backgroundWork.settled },
          { what: 'deferred work', do: runtime.deferred.stop },
          { what: 'billing', do: billing.stop },
          { what: 'closed organizations', do: () => closings },
          { what: 'e-mail domains', do: domains.stop },
          { what: 'mails', do: runtime.mails.stop },
          { what: 'projection', do: runtime.projection.stop },
          { what: 'readers', do: readers.stop },
          { what: 'leases', do: () => Promise.all([leases.projections.release(), leases.outbox.release()]) },
          { what: 'interface', do: app.close },
          { what: 'stores', do: charter.close },
          { what: 'reporting', do: runtime.reporting.close },
        ],
        deadline,
        logger,
      );
    },
  };
}

const DEMO_IN_PUBLIC =
  'This store was founded as a demo, but HOST or PUBLIC_URL is not on loopback. ' +
  'The accounts and organizations of a demo are examples: serve another store, or disable the accounts of the demo.';

const chooseHandler = (runtime: Parameters<typeof fastPath>[0], listener: RequestListener): RequestListener =>
  runtime.settings.role === 'projections'
    ? operationsOnlyListener(listener, runtime.settings)
    : fastPath(runtime, listener);

/**
 * Settings whose default public URL changes to the actual port: with port 0, the system chooses a free port. A
 * configured public URL does not change.
 */
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

/** Removes expired rate limit windows, sessions and links, and repeats missing erasures. */
const sweep = (runtime: Parameters<typeof replayMissedErasures>[0] & Pick<Charter, 'settings'>) => {
  const { database, now, logger, settings } = runtime;
  const { attempts, people } = database;
  const ago = (ms: number) => momentAt(now() - ms);
  const limits = { usedBefore: ago(settings.sessionIdle), beganBefore: ago(settings.sessionMax) };
  const ended = [attempts.sweep(now()), people.sessions.sweep(limits), people.links.sweep(now())];
  return Promise.all([...ended, replayMissedErasures(runtime)]).catch((error: unknown) =>
    logger.warn({ why: String(error) }, 'expired records could not be removed'),
  );
};

/**
 * The length of the listen backlog, which the operating system may reduce (Linux: `net.core.somaxconn`, 4,096). If the
 * backlog is full, the system drops connections without an answer, and clients try again after one, three and seven
 * seconds (`acceptance.md` Q2).
 */
const BACKLOG = 4_096;

const listen = (server: Server, port: number, host: string) =>
  new Promise<Server>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => resolve(server));
  });
