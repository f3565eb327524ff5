import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import { isUntrusted, LATE_SECONDS, type ParkedStream } from '@charter/projections';
import type { Request, Response } from 'express';
import { Answers, ok } from '../http/declared-answers';
import { LiveAnswer, readiness, type ReadyStatus } from './operations.answers';
import { FEDERATION, type Federation } from '../sign-in/federation/federation';
import { clientAddressOf } from '../http/input/client-address';
import { Public } from '../http/authentication/authentication-guard';
import { ProblemError } from '../http/problems/problem';
import { markFailureLogged } from '../http/problems/unlogged-failures';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Lifecycle, LIFECYCLE } from '../process/parts/lifecycle';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { type Background, BACKGROUND } from '../process/parts/background';

/** The number of streams that the health answer names; `charter projections status` lists all. */
const PARKED_SHOWN_MAX = 10;

@ApiTags('Operations')
@Controller()
export class OperationsController {
  private readonly runtime: Pick<Charter, 'settings' | 'log' | 'database'> &
    Clock &
    Lifecycle &
    Pick<Observability, 'logger' | 'counts'> &
    Pick<OrganizationAccess, 'projection'> &
    Pick<Background, 'mails' | 'replayedAtStart'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(LIFECYCLE) lifecycle: Lifecycle,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
    @Inject(FEDERATION) private readonly federation: Federation,
  ) {
    this.runtime = { ...stores, ...clock, ...lifecycle, ...observability, ...access, ...background };
  }

  /** The names of the checks that failed at the previous request. */
  private before = '';

  @Public()
  @Get('health/live')
  @ApiOperation({ summary: 'The process answers' })
  @Answers('everyone', ok(LiveAnswer))
  live() {
    return { status: 'live' } as const;
  }

  /** Ready means that the event log and the tables answer and that the read model is not stuck. */
  @Public()
  @Get('health/ready')
  @ApiOperation({ summary: 'Whether the event log, the read model and the projection work' })
  @Answers('everyone', readiness)
  async ready(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const [noLog, noTables] = await Promise.all([this.failureOfLog(), this.failureOfTables()]);
    const projection = this.projection();
    const checks = {
      eventLog: { ok: noLog === undefined },
      readModel: { ok: noTables === undefined },
      projection,
      erasures: this.erasures(),
    };
    const ready = !this.runtime.stopping() && Object.values(checks).every(({ ok }) => ok);
    response.status(ready ? 200 : 503);
    if (!ready) response.set('Retry-After', '1');
    this.logReadiness({
      eventLog: noLog,
      readModel: noTables,
      projection: projection.ok ? undefined : projection.phase,
    });
    markFailureLogged(request);
    const status: ReadyStatus = ready ? 'ready' : this.runtime.stopping() ? 'stopping' : 'not-ready';
    // an outage of a mail server or a provider does not change readiness (`acceptance.md` R9)
    return { status, checks, mail: this.runtime.mails.state(), google: this.federation.google.state() };
  }

  @Public()
  @Get('metrics')
  @ApiExcludeEndpoint()
  async metrics(@Req() request: Request, @Res() response: Response) {
    const { settings, counts } = this.runtime;
    const local = ['127.0.0.1', '::1'].includes(clientAddressOf(request, settings)) && !isForwarded(request);
    if (settings.metricsPort !== undefined || !local)
      throw new ProblemError(404, 'not-found', 'There is nothing at this address.');
    response.type(counts.registry.contentType).send(await counts.registry.metrics());
  }

  /**
   * The number of account changes that this process repeated when it started. A number above 0 means that older tables
   * were restored, or that a process crashed during a change.
   */
  private erasures() {
    const { erased, restored } = this.runtime.replayedAtStart;
    return { ok: true, appliedAtStart: erased, restored };
  }

  /** Logs readiness only when it changes, because load balancers request it every second. */
  private logReadiness(why: Readonly<Record<string, string | undefined>>): void {
    const now = Object.keys(why)
      .filter((check) => why[check] !== undefined)
      .join();
    if (now === this.before) return;
    if (now === '') this.runtime.logger.info('the service is ready again');
    else this.runtime.logger.warn(why, 'the service is not ready');
    this.before = now;
  }

  private failureOfLog(): Promise<string | undefined> {
    const { healthy = true } = this.runtime.log;
    return healthy ? failureOf(this.runtime.log.head()) : Promise.resolve('The event log accepts no more writes.');
  }

  private failureOfTables(): Promise<string | undefined> {
    const { lost, marks } = this.runtime.database;
    const why = lost?.();
    return why === undefined ? failureOf(marks.get('demo')) : Promise.resolve(why);
  }

  /**
   * The check of the projection fails only if the lag is high, the checkpoint has not moved for as long (`event-log.md`
   * D6), and the projection is not paused. The answer names events by position, never by organization, because it is
   * public.
   */
  private projection() {
    const { phase, why, lagSeconds, lagEvents, movedAt, parked } = this.runtime.projection.now();
    const isLate = lagSeconds > LATE_SECONDS;
    const isStuck = isLate && phase !== 'paused' && this.runtime.now() - (movedAt ?? 0) > LATE_SECONDS * 1000;
    const isBroken = isUntrusted(phase);
    const parkedAt = [...parked.values()].slice(0, PARKED_SHOWN_MAX).map(placeOf);
    const lag = { lagSeconds, lagEvents: lagEvents ?? null, isLate };
    return { ok: !isStuck && !isBroken, phase, ...(isBroken && { why }), ...lag, parked: parked.size, parkedAt };
  }
}

const failureOf = (pending: Promise<unknown>): Promise<string | undefined> => pending.then(() => undefined, String);

const placeOf = ({ type, position, revision, since, attempts }: ParkedStream) => ({
  type,
  position,
  revision,
  since,
  attempts,
});

/** Whether a proxy on this machine has forwarded the request from another machine. */
const isForwarded = ({ headers }: Request) =>
  ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'].some((name) => headers[name] !== undefined);
