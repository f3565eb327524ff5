import { createHmac, type KeyObject } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedAnswer } from '@charter/database';
import { mayHaveSeveralProcesses } from '@charter/settings';
import type { Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { Refused } from '@charter/aggregates';
import { hasAnyRole, notAllowed, permissions } from '@charter/organization';
import { CommandsAsShown } from '../organizations/previews/previews.requests';
import { requireRole } from '../organizations/require-role';
import { actorIn } from './authentication/caller';
import { declarationOf, type Permission } from './declared-answers';
import { idempotencyClaimOf, type RequestWithContext } from './request-context';
import { problemOf, ProblemError } from './problems/problem';
import { writeProblem } from './problems/write-problem';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';

/**
 * Thrown for a repeated request; contains the answer to the first request. The problem filter sends that answer
 * unchanged.
 */
export class RepeatedAnswer extends Error {
  constructor(readonly answer: RecordedAnswer) {
    super('This request was answered before.');
  }
}

/**
 * Stores each successful answer and each 409. Repeats the stored answer to each request with the same `Idempotency-Key`
 * and body, without a time limit (`api.md`; `acceptance.md` L). The process stores a claim before the command runs, and
 * the answer afterwards. A claim without an answer means that the request is running, or that its process has crashed.
 * After a crash a process may run the command again. The command id is derived from the idempotency key, so the command
 * takes effect only once.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly underWay = new Map<string, Promise<unknown>>();

  private readonly marks: (request: RequestWithContext) => string;

  /**
   * False if no other process uses these stores. A process that uses the stores alone knows all running requests. A
   * claim without an answer that belongs to no running request then comes from a crashed process.
   */
  private readonly isOneOfSeveral: boolean;

  constructor(
    @Inject(STORES) private readonly runtime: Pick<Charter, 'settings' | 'database' | 'keyFor' | 'organizations'>,
  ) {
    this.marks = marksUnder(runtime.keyFor('receipts'));
    this.isOneOfSeveral = mayHaveSeveralProcesses(runtime.settings);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<RequestWithContext>();
    if (isSafe(request.method) || request.charter.key === undefined) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    const may = declarationOf(`${context.getClass().name}_${context.getHandler().name}`)?.may ?? [];
    const run: Run = async (isFirst) => {
      const mayStill = isFirst ? undefined : requireStill(this.runtime, request, may);
      await mayStill?.catch(() => undefined);
      // The command may have run. The request then only finishes its effects, also if the caller has lost the right.
      const value: unknown = await firstValueFrom(next.handle());
      await mayStill?.catch((error: unknown) => {
        for (const name of keptHeaders) response.removeHeader(name);
        throw error;
      });
      return value;
    };
    return from(
      this.inTurn(request, response, run).catch(async (error: unknown) => {
        if (error instanceof RepeatedAnswer) await requireStill(this.runtime, request, may);
        throw error;
      }),
    );
  }

  /**
   * Runs requests with the same `Idempotency-Key` one after the other. A repeated request waits for the first request
   * and gets the same answer.
   */
  private async inTurn(request: RequestWithContext, response: Response, run: Run): Promise<unknown> {
    const organization = request.params['id'];
    const claim = idempotencyClaimOf(
      request.charter,
      typeof organization === 'string' ? organization.toLowerCase() : 'new',
    );
    const before = this.underWay.get(claim) ?? Promise.resolve();
    const mine = before.then(() => this.once(claim, request, response, run));
    const settled = mine.catch(() => undefined);
    this.underWay.set(claim, settled);
    void settled.then(() => this.underWay.get(claim) === settled && this.underWay.delete(claim));
    return mine;
  }

  private async once(claim: string, request: RequestWithContext, response: Response, run: Run) {
    const { receipts } = this.runtime.database;
    const marks = this.marks(request);
    const isFirst = await this.claimed(claim, marks);
    try {
      const value = await run(isFirst);
      const headers = Object.fromEntries(keptHeaders.flatMap((name) => headerOf(response, name)));
      const body = value === undefined ? '' : JSON.stringify(value); // a 204 has no value
      const answer = { status: response.statusCode, headers, body };
      // if another process has stored its answer first, `claimed` throws that answer
      if (!(await receipts.answer(claim, answer))) await this.claimed(claim, marks);
      return value;
    } catch (error) {
      if (error instanceof RepeatedAnswer) throw error;
      const { problem } = problemOf(error);
      if (problem.status !== 409) {
        // If the first request fails with a status below 500, its key is free again (409 is an answer, see below).
        // After a 5xx, and after a failed repetition, the command may have run, so the key stays with this request.
        if (isFirst && problem.status < 500) await receipts.withdraw(claim);
        else if (this.isOneOfSeveral) await receipts.recordUnknownOutcome(claim).catch(() => undefined);
        throw error;
      }
      const answer = writeProblem(problem, request.charter.id);
      if (!(await receipts.answer(claim, answer))) await this.claimed(claim, marks);
      throw new RepeatedAnswer(answer);
    }
  }

  /**
   * Resolves when the request may run. If another process is running a request with this key, waits for the answer to
   * that request, but no longer than `TWIN_MS`. After `TWIN_MS`, the other process has crashed or hangs, and this
   * process may run the command once more.
   * @returns whether this request is the first with the key; false if an earlier request may have run the command
   * @throws RepeatedAnswer; ProblemError 422
   */
  private async claimed(claim: string, marks: string): Promise<boolean> {
    const { receipts } = this.runtime.database;
    const end = performance.now() + TWIN_MS;
    for (;;) {
      const known = await receipts.claim(claim, marks);
      if (known.kind === 'new') return true;
      if (known.kind === 'answered') throw new RepeatedAnswer(known.answer);
      if (known.kind === 'other-body')
        throw new ProblemError(
          422,
          'key-reused',
          'This Idempotency-Key was used for another request. Choose a new one.',
        );
      if (!this.isOneOfSeveral || known.since >= TWIN_MS || performance.now() >= end) return false;
      await pause(TWIN_LOOK_MS);
    }
  }
}

/** Runs the request. `isFirst` is false if an earlier request with the same key may have run the command. */
type Run = (isFirst: boolean) => Promise<unknown>;

/**
 * Checks that the caller still has permission for the request. A stored answer contains ids, and the caller may have
 * lost the membership, the role or the scope since the first request.
 * @throws Refused 403, 404
 */
async function requireStill(
  runtime: Pick<Charter, 'organizations'>,
  { params: { id }, charter: { caller }, body }: RequestWithContext,
  may: Permission,
): Promise<void> {
  const each = may === 'each command by its own rule' ? rolesOfCommands(body) : [may];
  for (const roles of each) {
    const allowed = typeof roles === 'string' ? [] : roles;
    const organization = typeof id === 'string' ? id.toLowerCase() : undefined;
    if (organization !== undefined) await requireRole(runtime, organization, actorIn(caller, organization), allowed);
    else if (!hasAnyRole(allowed, caller.actor.powers)) throw new Refused(notAllowed(allowed));
  }
}

/** The roles for each command; none for a malformed body, which the route refuses. */
const rolesOfCommands = (body: unknown): readonly (readonly string[])[] =>
  CommandsAsShown.safeParse(body).data?.commands.map(({ type }) => permissions[type]) ?? [];

/**
 * The maximum number of milliseconds for which a request waits for an equal request in another process. The time limits
 * of the stores end every request within this time (`acceptance.md` R3).
 */
const TWIN_MS = 5_000;
const TWIN_LOOK_MS = 40;

const isSafe = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
const keptHeaders = ['ETag', 'Location'];
const headerOf = (response: Response, name: string) => {
  const value = response.getHeader(name);
  return value === undefined ? [] : [[name, String(value)] as const];
};

/**
 * The fingerprint of a request, with which a later request is compared. A body may contain addresses and secrets. The
 * hash uses a secret key, so that a reader of the table cannot guess the content of a body (`acceptance.md` U6). After
 * a change of the session secret, all fingerprints differ, so Charter refuses every idempotency key that was used
 * before.
 */
const marksUnder =
  (key: KeyObject) =>
  ({ method, originalUrl, body }: RequestWithContext): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([method, originalUrl, body as unknown]))
      .digest('hex');
