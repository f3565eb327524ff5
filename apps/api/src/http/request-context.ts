import { hash, randomUUID } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Envelope } from '@charter/event-log';
import { uuidv5 } from '@charter/event-log';
import type { Request, Response } from 'express';
import { actorIn, type Caller } from './authentication/caller';
import { malformed } from './problems/problem';

/** What the guard has found out about a request. */
export type Known = { id: string; caller: Caller; at: string; key: string | undefined };
export type KnownRequest = Request & { charter: Known };

/** Names that are made from something, so that asking again makes the same: version 5 UUIDs under this one. */
const CHARTER = 'c4a47e12-5b0f-4d5c-9d3e-0f6a1f2b7c90';
export const nameFrom = (...parts: readonly string[]): string => uuidv5(CHARTER, parts.join('\n'));

/** Who asks, when, and which command this is, for an organization. */
export function envelopeFor({ id, caller, at, key }: Known, organization: string, ifMatch?: string): Envelope {
  return {
    actor: actorIn(caller, organization),
    at,
    command: key === undefined ? randomUUID() : nameFrom('command', organization, caller.actor.id, key),
    correlation: id,
    causation: id,
    expected: expectedBy(ifMatch),
  };
}

/** One request to `/organizations/:id/…`: the envelope of what it asks for, and both ends of the line. */
export type Call = Readonly<{ by: Envelope; request: KnownRequest; response: Response }>;

export const OnCall = createParamDecorator((_: unknown, context: ExecutionContext): Call => {
  const http = context.switchToHttp();
  const request = http.getRequest<KnownRequest>();
  const by = envelopeFor(request.charter, String(request.params['id']).toLowerCase(), request.headers['if-match']);
  return { by, request, response: http.getResponse<Response>() };
});

/** Who is asking, where no one organization is asked about. */
export const Asking = createParamDecorator(
  (_: unknown, context: ExecutionContext): Known => context.switchToHttp().getRequest<KnownRequest>().charter,
);

/** `If-Match` compares only the number of a tag; `*`: it exists (`api.md`). */
export function expectedBy(header: string | undefined): number | '*' | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const revision = /^("?)(\d{1,15})(?:-[\w-]+)?\1$/.exec(header.trim())?.[2];
  if (revision === undefined) throw malformed([{ path: 'If-Match', message: 'must be one ETag, such as "42"' }]);
  return Number(revision);
}

/** Printable ASCII, up to 255 characters. A word about `Idempotency-Key` comes before anything is done. */
export function keyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw malformed([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }]);
  return header;
}

/** Under which a request's answer is kept: the organization, the caller and their key, which stays unreadable. */
export const claimOf = ({ caller: { actor }, key }: Known, organization: string): string =>
  hash('sha256', JSON.stringify([organization, actor.kind, actor.id, key]));
