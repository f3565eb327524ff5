import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import { isUntrusted } from '@charter/projections';
import type { Request, Response } from 'express';
import { Answers, ok } from '../http/declared-answers';
import { LiveAnswer, readiness, type ReadyStatus } from './operations.answers';
import { projectionCheck } from './projection-check';
import { FEDERATION, type Federation } from '../sign-in/federation/federation';
import { isLocalRequest } from '../http/input/local-request';
import { Public } from '../http/authentication/authentication-guard';
import { ProblemError } from '../http/problems/problem';
import { markFailureLogged } from '../http/problems/unlogged-failures';
import { type Charter, sharedSecretsCheck } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { CLOCK, type Stopwatch } from '../process/parts/clock';
import { type Lifecycle, LIFECYCLE } from '../process/parts/lifecycle';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { type Background, BACKGROUND } from '../process/parts/background';

@ApiTags('Operations')
@Controller()
export class OperationsController {
  private readonly runtime: Pick<Charter, 'settings' | 'log' | 'database'> &
    Lifecycle &
    Pick<Observability, 'logger' | 'counts'> &
    Pick<Background, 'mails' | 'replayedAtStart'>;
  private readonly projection: ReturnType<typeof projectionCheck>;
  private readonly otherSecrets: ReturnType<typeof sharedSecretsCheck>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) stopwatch: Stopwatch,
    @Inject(LIFECYCLE) lifecycle: Lifecycle,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
    @Inject(FEDERATION) private readonly federation: Federation,
  ) {
    this.runtime = { ...stores, ...lifecycle, ...observability, ...background };
    this.otherSecrets = sharedSecretsCheck(stores.database.marks, stores.settings);
    this.projection = projectionCheck(access.projection, stopwatch.elapsed);
  }

  /** The names of the checks that failed at the previous request, or `BEHIND`. */
  private before = '';

  @Public()
  @Get('health/live')
  @ApiOperation({ summary: 'The process answers' })
  @Answers('everyone', ok(LiveAnswer))
  live() {
    return { status: 'live' } as const;
  }

  /**
   * The process is ready if the event log and the tables answer and the projection works. The read model must contain
   * all events from before the start. A process that does not project waits for events from before its start at most 30
   * seconds.
   */
  @Public()
  @Get('health/ready')
  @ApiOperation({ summary: 'Whether the event log, the read model and the projection work' })
  @Answers('everyone', readiness)
  async ready(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const [noLog, noTables, projection] = await Promise.all([
      this.failureOfLog(),
      this.failureOfTables(),
      this.projection(),
    ]);
    const checks = {
      eventLog: { ok: noLog === undefined },
      readModel: { ok: noTables === undefined },
      projection,
      erasures: this.erasures(),
    };
    const ready = !this.runtime.stopping() && Object.values(checks).every(({ ok }) => ok);
    response.status(ready ? 200 : 503);
    if (!ready) response.set('Retry-After', '1');
    this.logReadiness(
      { eventLog: noLog, readModel: noTables, projection: failureOfProjection(projection) },
      projection.ok ? projection.why : undefined,
    );
    markFailureLogged(request);
    const status: ReadyStatus = ready ? 'ready' : this.runtime.stopping() ? 'stopping' : 'not-ready';
    // an outage of the mail server or of Google does not change readiness (`acceptance.md` R9)
    return { status, checks, mail: this.runtime.mails.state(), google: this.federation.google.state() };
  }

  @Public()
  @Get('metrics')
  @ApiExcludeEndpoint()
  async metrics(@Req() request: Request, @Res() response: Response) {
    const { settings, counts } = this.runtime;
    if (settings.metricsPort !== undefined || !isLocalRequest(request, settings))
      throw new ProblemError(404, 'not-found', 'There is nothing at this address.');
    response.type(counts.registry.contentType).send(await counts.registry.metrics());
  }

  /**
   * `appliedAtStart`: the number of erasures that this process repeated when it started. The number is above 0 if older
   * tables were restored, or if a process crashed during an erasure. `restored`: whether the process found older
   * tables, or started on a backup.
   */
  private erasures() {
    const { erased, restored } = this.runtime.replayedAtStart;
    return { ok: true, appliedAtStart: erased, restored };
  }

  /** Logs readiness only when it changes, because load balancers request it every second. */
  private logReadiness(why: Readonly<Record<string, string | undefined>>, behind: string | undefined): void {
    const failing = Object.keys(why)
      .filter((check) => why[check] !== undefined)
      .join();
    const now = failing === '' && behind !== undefined ? BEHIND : failing;
    if (now === this.before) return;
    if (now === BEHIND)
      this.runtime.logger.warn({ projection: behind }, 'the read model lacks events from before the start');
    else if (now !== '') this.runtime.logger.warn(why, 'the service is not ready');
    else if (this.before === BEHIND)
      this.runtime.logger.info('the read model contains all events from before the start');
    else this.runtime.logger.info('the service is ready again');
    this.before = now;
  }

  private failureOfLog(): Promise<string | undefined> {
    const { healthy = true } = this.runtime.log;
    return healthy ? failureOf(this.runtime.log.head()) : Promise.resolve('The event log accepts no more writes.');
  }

  private failureOfTables(): Promise<string | undefined> {
    const why = this.runtime.database.lost?.();
    return why === undefined ? this.otherSecrets().catch(String) : Promise.resolve(why);
  }
}

/** The logged state of a process that is ready, although its read model lacks events from before the start. */
const BEHIND = 'behind';

const failureOf = (pending: Promise<unknown>): Promise<string | undefined> => pending.then(() => undefined, String);

/**
 * The reason that the process logs; undefined if the check succeeds, or if the projection is only catching up after the
 * start.
 */
const failureOfProjection = ({ ok, phase, behind, why }: Awaited<ReturnType<ReturnType<typeof projectionCheck>>>) =>
  ok ? undefined : behind === undefined || isUntrusted(phase) ? phase : why;
