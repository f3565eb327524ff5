import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { LATE_SECONDS, type ProjectionPhase } from '@charter/projections';
import type { OrganizationCommand } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { type BackgroundKind, backgroundKinds } from '../work/background-work';

/** The counters of the process. Labels are words from a fixed list, never ids (`acceptance.md` T7). */
export type Metrics = Readonly<{
  registry: Registry;
  executed: (command: OrganizationCommand | readonly OrganizationCommand[], outcome: string) => void;
  /** Counts an answered request by the class of its status, and records its duration in seconds. */
  answered: (route: string, status: number, seconds: number) => void;
  /** Counts a request that was refused because of load. */
  refusedForLoad: (reason: LoadRefusal) => void;
  parked: (view: string) => void;
  /** Counts how often the lag of the read model rises above `LATE_SECONDS`. */
  late: () => void;
  trouble: (what: string) => void;
  /** Counts an error that no code caught. */
  unhandled: (kind: 'rejection' | 'exception') => void;
  /** Counts background work that was dropped, because its queue was full. */
  workDropped: (kind: BackgroundKind) => void;
  /** Counts a request to `POST /forgot`. */
  resetRequested: (outcome: ResetOutcome) => void;
  mailSent: () => void;
  /** Counts a failed attempt to send a mail: `again` if there will be another attempt, otherwise `given-up`. */
  mailFailed: (outcome: 'again' | 'given-up') => void;
  /** Counts an evaluation of one flag or of all flags of a subject. */
  flagsEvaluated: (route: 'one' | 'all', outcome: FlagOutcome) => void;
  /** Counts notices of changed entitlements or flags, one for each client. */
  noticesSent: (notices: number) => void;
}>;

/**
 * Why a request was refused under load. `process`, `organization`: too many requests in the process or for an
 * organization. `expensive`, `caller`: too many costly reads or change feeds, in total or of one caller or
 * organization. `connection`: too many requests on a connection whose first request is not answered.
 */
export type LoadRefusal = (typeof loadRefusals)[number];
const loadRefusals = ['process', 'organization', 'expensive', 'caller', 'connection'] as const;

/** The outcome of a request for a reset link. */
export type ResetOutcome = (typeof resetOutcomes)[number];
const resetOutcomes = ['mailed', 'no-account', 'throttled-account', 'throttled-address', 'expired'] as const;

/** The outcome of an evaluation. `unchanged`: the answer was 304. `refused`: any other failure than an unknown flag. */
export type FlagOutcome = (typeof flagOutcomes)[number];
const flagOutcomes = ['evaluated', 'unchanged', 'unknown-flag', 'refused'] as const;

/** Values that the process reads only when Prometheus scrapes the metrics. */
export type Gauges = Readonly<{
  lagSeconds: () => number;
  lagEvents: () => number | undefined;
  parked: () => number;
  phase: () => ProjectionPhase;
  walBytes: () => number;
  mailsWaiting: () => Promise<number>;
  deferredWaiting: () => Promise<number>;
  readersLagSeconds: () => Promise<number>;
  logDropped: () => number;
  listeners: () => number;
  snapshotsRefused: () => number;
}>;

/**
 * The interval, in milliseconds, between two samples of the event loop. Each sample wakes the process: the default of
 * 10 ms needs one percent of a processor core in an idle process.
 */
const LOOP_SAMPLE_MS = 100;

export function createMetrics(gauges: Gauges): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'charter_', eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  const registers = [registry];
  const commands = new Counter({
    name: 'charter_commands_total',
    help: 'Commands by type and outcome',
    labelNames: ['command', 'outcome'],
    registers,
  });
  const requests = new Counter({
    name: 'charter_requests_total',
    help: 'Answered requests by route and class of status',
    labelNames: ['route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'charter_request_seconds',
    help: 'Duration of answered requests by route',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5], // each bucket is one series for each route
    registers,
  });
  const putOff = new Counter({
    name: 'charter_put_off_total',
    help: 'Requests refused under load, by scope of the limit',
    labelNames: ['reason'],
    registers,
  });
  const parked = new Counter({
    name: 'charter_parked_total',
    help: 'Streams parked at an event that the projector cannot fold',
    labelNames: ['view'],
    registers,
  });
  const late = new Counter({
    name: 'charter_projection_late_total',
    help: `How often the lag of the read model went above ${LATE_SECONDS} seconds`,
    registers,
  });
  new Gauge({
    name: 'charter_projection_phase',
    help: 'Phase of the projection in this process: 1 for the present phase',
    labelNames: ['phase'],
    registers,
    collect() {
      this.reset();
      this.set({ phase: gauges.phase() }, 1);
    },
  });
  const trouble = new Counter({
    name: 'charter_trouble_total',
    help: 'Failures that the projector retries',
    labelNames: ['what'],
    registers,
  });
  const unhandled = new Counter({
    name: 'charter_unhandled_total',
    help: 'Uncaught failures: rejected promises, and exceptions, which end the process',
    labelNames: ['kind'],
    registers,
  });
  const mailsSent = new Counter({
    name: 'charter_mails_sent_total',
    help: 'Mails that a mail server accepted',
    registers,
  });
  const mailsFailed = new Counter({
    name: 'charter_mails_failed_total',
    help: 'Failed attempts to send a mail, by consequence',
    labelNames: ['outcome'],
    registers,
  });
  const dropped = new Counter({
    name: 'charter_background_dropped_total',
    help: 'Background work that was dropped, because its queue was full',
    labelNames: ['kind'],
    registers,
  });
  const resets = new Counter({
    name: 'charter_reset_requests_total',
    help: 'Requests for a reset link, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const evaluations = new Counter({
    name: 'charter_flag_evaluations_total',
    help: 'Evaluations of flags by route and outcome',
    labelNames: ['route', 'outcome'],
    registers,
  });
  const notices = new Counter({
    name: 'charter_flag_notices_total',
    help: 'Notices of changed entitlements or flags, one for each client',
    registers,
  });
  // Each series begins at 0: otherwise the first failure shows no increase in Prometheus.
  for (const kind of ['rejection', 'exception']) unhandled.inc({ kind }, 0);
  for (const outcome of ['again', 'given-up']) mailsFailed.inc({ outcome }, 0);
  for (const reason of loadRefusals) putOff.inc({ reason }, 0);
  for (const route of ['one', 'all']) for (const outcome of flagOutcomes) evaluations.inc({ route, outcome }, 0);
  for (const kind of backgroundKinds) dropped.inc({ kind }, 0);
  for (const outcome of resetOutcomes) resets.inc({ outcome }, 0);
  parked.inc({ view: organizationView.name }, 0);
  for (const what of ['projection', 'checkpoint', 'readers']) trouble.inc({ what }, 0);
  gauge(registry, 'charter_mails_waiting', 'Mails in the outbox that wait to be sent', gauges.mailsWaiting);
  gauge(
    registry,
    'charter_deferred_waiting',
    'Stored reset requests and audit entries that wait to be worked on',
    gauges.deferredWaiting,
  );
  gauge(
    registry,
    'charter_projection_lag_seconds',
    'Age of the oldest event not yet in the read model',
    gauges.lagSeconds,
  );
  gauge(
    registry,
    'charter_projection_lag_events',
    'Events not yet in the read model; NaN where the log cannot count them',
    () => gauges.lagEvents() ?? NaN,
  );
  gauge(
    registry,
    'charter_readers_lag_seconds',
    'Age of the oldest read not yet in the lists of readers',
    gauges.readersLagSeconds,
  );
  gauge(registry, 'charter_parked_streams', 'Parked streams that wait for an operator', gauges.parked);
  gauge(
    registry,
    'charter_event_log_wal_bytes',
    'Bytes in the write-ahead log that are not yet in the file of the event log',
    gauges.walBytes,
  );
  gauge(
    registry,
    'charter_flag_listeners',
    'Open streams of changed entitlements or flags in this process',
    gauges.listeners,
  );
  new Counter({
    name: 'charter_log_dropped_total',
    help: 'Dropped log lines, because their reader is slow or a disk is full',
    registers,
    collect() {
      this.reset();
      this.inc(gauges.logDropped());
    },
  });
  new Counter({
    name: 'charter_history_snapshots_refused_total',
    help: 'Stored states of histories that were damaged or do not belong to the event log, and were removed',
    registers,
    collect() {
      this.reset();
      this.inc(gauges.snapshotsRefused());
    },
  });

  return {
    registry,
    executed: (command, outcome) => {
      for (const { type } of [command].flat()) commands.inc({ command: type, outcome });
    },
    answered: (route, status, seconds) => {
      requests.inc({ route, status: `${Math.floor(status / 100)}xx` });
      durations.observe({ route }, seconds);
    },
    refusedForLoad: (reason) => putOff.inc({ reason }),
    parked: (view) => parked.inc({ view }),
    late: () => late.inc(),
    trouble: (what) => trouble.inc({ what }),
    unhandled: (kind) => unhandled.inc({ kind }),
    workDropped: (kind) => dropped.inc({ kind }),
    resetRequested: (outcome) => resets.inc({ outcome }),
    mailSent: () => mailsSent.inc(),
    mailFailed: (outcome) => mailsFailed.inc({ outcome }),
    flagsEvaluated: (route, outcome) => evaluations.inc({ route, outcome }),
    noticesSent: (sent) => notices.inc(sent),
  };
}

/**
 * A gauge that is NaN while its value cannot be read, so that the other metrics can be scraped during an outage of a
 * store.
 */
export function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>) {
  const value = async () => read();
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await value().catch(() => NaN));
    },
  });
}
