import { createHmac } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Answer } from '@charter/documents';
import type { Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { RUNTIME, type Runtime } from '../runtime';
import { claimOf, type KnownRequest } from './envelope';
import { problemOf, Stop } from './problem';

/** The answer that was given the first time; it is sent again as it was. */
export class Repeated extends Error {
  constructor(readonly answer: Answer) {
    super('This was answered before.');
  }
}

/**
 * The same `Idempotency-Key` and body get the same answer, for ever (`api.md`; `acceptance.md` L). A claim is stored before
 * the command runs, its answer afterwards; a claim without an answer means that a process died in between, and running the
 * command again is safe, because its id is made from the key.
 */
@Injectable()
export class Once implements NestInterceptor {
  private readonly underWay = new Map<string, Promise<unknown>>();

  private readonly marks: (request: KnownRequest) => string;

  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {
    this.marks = marksUnder(runtime.keyFor('receipts'));
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<KnownRequest>();
    if (isSafe(request.method) || request.charter.key === undefined) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return from(this.inTurn(request, response, () => firstValueFrom(next.handle())));
  }

  /** A twin in flight waits for the first, and then gets its answer. */
  private async inTurn(request: KnownRequest, response: Response, run: () => Promise<unknown>): Promise<unknown> {
    const organization = request.params['id'];
    const claim = claimOf(request.charter, typeof organization === 'string' ? organization.toLowerCase() : 'new');
    const before = this.underWay.get(claim) ?? Promise.resolve();
    const mine = before.then(() => this.once(claim, request, response, run));
    const settled = mine.catch(() => undefined);
    this.underWay.set(claim, settled);
    void settled.then(() => this.underWay.get(claim) === settled && this.underWay.delete(claim));
    return mine;
  }

  private async once(claim: string, request: KnownRequest, response: Response, run: () => Promise<unknown>) {
    const { receipts } = this.runtime.documents;
    const known = await receipts.claim(claim, this.marks(request));
    if (known.kind === 'answered') throw new Repeated(known.answer);
    if (known.kind === 'other-body')
      throw new Stop(422, 'key-reused', 'This Idempotency-Key was used for another request. Choose a new one.');

    try {
      const value = await run();
      const headers = Object.fromEntries(keptHeaders.flatMap((name) => headerOf(response, name)));
      await receipts.answer(claim, { status: response.statusCode, headers, body: JSON.stringify(value) });
      return value;
    } catch (error) {
      const { problem } = problemOf(error);
      if (problem.status !== 409) {
        // A 400, 401, 412 or 429 gives the key back. After a 5xx it may have happened: the same request may be asked again,
        // and another one must not be told that it was this.
        if (problem.status < 500) await receipts.withdraw(claim);
        throw error;
      }
      const body = JSON.stringify({ ...problem, instance: request.charter.id });
      const answer = { status: 409, headers: { 'Content-Type': 'application/problem+json; charset=utf-8' }, body };
      await receipts.answer(claim, answer);
      throw new Repeated(answer);
    }
  }
}

const isSafe = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
const keptHeaders = ['ETag', 'Location'];
const headerOf = (response: Response, name: string) => {
  const value = response.getHeader(name);
  return value === undefined ? [] : [[name, String(value)] as const];
};

/**
 * What a later request is compared by. Bodies hold addresses and secrets, which a plain hash would let anybody guess who
 * sees the table; under a key of ours it says nothing (`acceptance.md` U6). With another session secret a key that was
 * used before is refused as one of another request.
 */
const marksUnder =
  (key: Buffer) =>
  ({ method, originalUrl, body }: KnownRequest): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([method, originalUrl, body as unknown]))
      .digest('hex');
