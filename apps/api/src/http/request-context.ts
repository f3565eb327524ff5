import { hash, randomUUID } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Envelope } from '@charter/event-log';
import { uuidv5 } from '@charter/event-log';
import type { Request, Response } from 'express';
import { actorIn, type Caller } from './authentication/caller';
import { malformedRequest } from './problems/problem';

/** What the guard has found out about a request. */
export type RequestContext = { id: string; caller: Caller; at: string; key: string | undefined };
export type RequestWithContext = Request & { charter: RequestContext };

/** Names that are made from something, so that asking again makes the same: version 5 UUIDs under this one. */
const CHARTER = 'c4a47e12-5b0f-4d5c-9d3e-0f6a1f2b7c90';
export const deterministicId = (...parts: readonly string[]): string => uuidv5(CHARTER, parts.join('\n'));

/** Who asks, when, and which command this is, for an organization. */
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

/** One request to `/organizations/:id/…`: the envelope of what it asks for, and both ends of the line. */
export type OrganizationCall = Readonly<{ context: Envelope; request: RequestWithContext; response: Response }>;

export const CurrentCall = createParamDecorator((_: unknown, context: ExecutionContext): OrganizationCall => {
  const http = context.switchToHttp();
  const request = http.getRequest<RequestWithContext>();
  const by = commandContextFor(
    request.charter,
    String(request.params['id']).toLowerCase(),
    request.headers['if-match'],
  );
  return { context: by, request, response: http.getResponse<Response>() };
});

/** Who is asking, where no one organization is asked about. */
export const CurrentContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext =>
    context.switchToHttp().getRequest<RequestWithContext>().charter,
);

/** `If-Match` compares only the number of a tag; `*`: it exists (`api.md`). */
function expectedRevisionOf(header: string | undefined): number | '*' | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const revision = /^("?)(\d{1,15})(?:-[\w-]+)?\1$/.exec(header.trim())?.[2];
  if (revision === undefined) throw malformedRequest([{ path: 'If-Match', message: 'must be one ETag, such as "42"' }]);
  return Number(revision);
}

/** Printable ASCII, up to 255 characters. A word about `Idempotency-Key` comes before anything is done. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw malformedRequest([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }]);
  return header;
}

/** Under which a request's answer is kept: the organization, the caller and their key, which stays unreadable. */
export const idempotencyClaimOf = ({ caller: { actor }, key }: RequestContext, organization: string): string =>
  hash('sha256', JSON.stringify([organization, actor.kind, actor.id, key]));
