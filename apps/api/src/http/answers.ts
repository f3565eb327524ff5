import type { Receipt } from '@charter/aggregates';
import type { OrganizationEvent } from '@charter/organization';
import { tagAt } from '@charter/organization-view';
import type { Request, Response } from 'express';
import type { TaggedAnswer } from '../organizations/organization-reader';
import { lagHeaders } from './lag-headers';
import type { Runtime } from '../process/runtime';

/** The answer of a write: where the organization stands with it, and what was recorded (`api.md`, Shapes). */
export function sendReceipt(
  { revision, events }: Receipt<OrganizationEvent>,
  response: Response,
  made?: Readonly<{ id: string; at: string }>,
): object {
  response.set('ETag', tagAt(revision));
  if (made && events.length > 0)
    response.status(201).location(`${made.at.replace(/\/$/, '')}/${encodeURIComponent(made.id)}`);
  else response.status(200);
  return { ...(made && { id: made.id }), revision, events: events.map(({ type, data }) => ({ type, data })) };
}

/** The answer of a read, or 304 to whoever has it already. */
export function sendAnswer(
  { projection }: Pick<Runtime, 'projection'>,
  { answer, tag }: TaggedAnswer<object>,
  request: Request,
  response: Response,
): object | undefined {
  response.set({ ETag: tag, ...lagHeaders(projection) }); // as it is now: `atLeast` may have waited
  if (!matchesETag(request.headers['if-none-match'], tag)) return answer;
  response.status(304);
  return undefined;
}

/** `If-None-Match`: one tag, several, or any; weak ones count for reads (RFC 9110 §13.1.2). */
export const matchesETag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag || known.trim() === '*');
