import { hash, randomUUID } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Envelope } from '@charter/event-log';
import { uuidv5 } from '@charter/event-log';
import type { Request, Response } from 'express';
import { actorIn, type Caller } from './authentication/caller';
import { malformedRequest } from './problems/problem';

/** The data that the authentication guard attaches to a request. */
export type RequestContext = { id: string; caller: Caller; at: string; key: string | undefined };
export type RequestWithContext = Request & { charter: RequestContext };

/** The namespace of derived ids (UUID version 5). Charter derives the same ids when a caller repeats a request. */
const CHARTER = 'c4a47e12-5b0f-4d5c-9d3e-0f6a1f2b7c90';
export const deterministicId = (...parts: readonly string[]): string => uuidv5(CHARTER, parts.join('\n'));

/** The command context of a request to an organization: the actor, the moment and the command id. */
export function commandContextFor(
  { id, caller, at, key }: RequestContext,
  organization: string,
  ifMatch?: string,
): Envelope {
  return {
    actor: actorIn(caller, organization),
    at,
    command: key === undefined ? randomUUID() : deterministicId('command', organization, caller.actor.id, key),
    correlation: id,
    causation: id,
    expected: expectedRevisionOf(ifMatch),
  };
}

/** A request to `/organizations/:id/…`: its command context, the request and the response. */
export type OrganizationCall = Readonly<{ context: Envelope; request: RequestWithContext; response: Response }>;

export const CurrentCall = createParamDecorator((_: unknown, context: ExecutionContext): OrganizationCall => {
  const http = context.switchToHttp();
  const request = http.getRequest<RequestWithContext>();
  const commandContext = commandContextFor(
    request.charter,
    String(request.params['id']).toLowerCase(),
    request.headers['if-match'],
  );
  return { context: commandContext, request, response: http.getResponse<Response>() };
});

/** The context of a request that does not name one organization. */
export const CurrentContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext =>
    context.switchToHttp().getRequest<RequestWithContext>().charter,
);

/**
 * The revision in an `If-Match` tag; the rest of the tag is ignored. `*` only requires that the organization exists
 * (`api.md`).
 */
function expectedRevisionOf(header: string | undefined): number | '*' | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const revision = /^("?)(\d{1,15})(?:-[\w-]+)?\1$/.exec(header.trim())?.[2];
  if (revision === undefined) throw malformedRequest([{ path: 'If-Match', message: 'must be one ETag, such as "42"' }]);
  return Number(revision);
}

/** An `Idempotency-Key` has 1 to 255 printable ASCII characters. A malformed key is refused before any other work. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw malformedRequest([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }]);
  return header;
}

/** The key under which a request's answer is stored: a hash of the organization, the caller and the idempotency key. */
export const idempotencyClaimOf = ({ caller: { actor }, key }: RequestContext, organization: string): string =>
  hash('sha256', JSON.stringify([organization, actor.kind, actor.id, key]));
