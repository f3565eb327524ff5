import type { Receipt } from '@charter/aggregates';
import type { OrganizationEvent } from '@charter/organization';
import { type MadeAnswer, type ReceiptAnswer, receiptDocument, tagAt } from '@charter/organization-view';
import type { Request, Response } from 'express';
import type { TaggedAnswer } from '../organizations/organization-reader';
import { lagHeaders } from './lag-headers';
import type { OrganizationAccess } from '../process/parts/organization-access';

/** The id of the list entry (such as a member or a site) that a write created, and the URL of the list. */
type Made = Readonly<{ id: string; at: string }>;

/**
 * The answer to a write: the organization's new revision and entitlements, and the recorded events (`api.md`, Shapes).
 */
export function receiptAnswer({ revision, events }: Receipt<OrganizationEvent>, made?: Made) {
  const isNew = made !== undefined && events.length > 0;
  return {
    status: isNew ? 201 : 200,
    headers: {
      ETag: tagAt(revision),
      ...(isNew && { Location: `${made.at.replace(/\/$/, '')}/${encodeURIComponent(made.id)}` }),
    },
    body: receiptDocument(made?.id, { revision, events }),
  };
}

export function sendReceipt(receipt: Receipt<OrganizationEvent>, response: Response): ReceiptAnswer;
export function sendReceipt(receipt: Receipt<OrganizationEvent>, response: Response, made: Made): MadeAnswer;
export function sendReceipt(receipt: Receipt<OrganizationEvent>, response: Response, made?: Made): ReceiptAnswer {
  const { status, headers, body } = receiptAnswer(receipt, made);
  response.status(status).set(headers);
  return body;
}

/** Sends the answer to a read, or 304 without a body if the caller's `If-None-Match` contains the answer's ETag. */
export function sendAnswer<Answer extends object>(
  { projection }: Pick<OrganizationAccess, 'projection'>,
  { answer, tag }: TaggedAnswer<Answer>,
  request: Request,
  response: Response,
): Answer | undefined {
  // The query may wait for the read model. So the headers about the lag are set after the query, with the current lag.
  response.set(lagHeaders(projection));
  return sendTagged(answer, tag, { request, response });
}

/** Sets the answer's ETag. Returns the answer, or sends 304 if the caller's `If-None-Match` contains this ETag. */
export function sendTagged<Answer extends object>(
  answer: Answer,
  tag: string,
  { request, response }: Readonly<{ request: Request; response: Response }>,
): Answer | undefined {
  response.set({ ETag: tag });
  if (!matchesETag(request.headers['if-none-match'], tag)) return answer;
  response.status(304);
  return undefined;
}

/**
 * Whether an `If-None-Match` header, which contains one tag, several tags, or `*`, matches the tag of an answer. A weak
 * tag matches too, because the request is a read (RFC 9110 §13.1.2).
 */
export const matchesETag = (header: string | undefined, tag: string): boolean =>
  header === tag || // so most headers need no search
  (header !== undefined &&
    header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag || known.trim() === '*'));
