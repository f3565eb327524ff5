import type { IncomingMessage } from 'node:http';
import { momentAt } from '@charter/decider';
import type { Charter } from '@charter/application';
import { addMemberByIdOrEmail } from '../../organizations/members/add-member';
import { NewMember } from '../../organizations/organization.requests';
import type { Authentication } from '../../process/parts/authentication';
import { receiptAnswer } from '../answers';
import { bearerOf, type Caller } from '../authentication/caller';
import { isCompressed, isJson, parseJson, readBody } from '../input/body';
import { requestLanguage } from '../input/language';
import { validated } from '../input/validation';
import { commandContextFor } from '../request-context';
import { requestIdOf } from '../request-id';
import { type AnsweringParts, JSON_TYPE, refuseFast } from './fast-answers';
import type { FastCall } from './fast-route';
import { sendTogether } from './send-together';

type AddingParts = AnsweringParts &
  Parameters<typeof addMemberByIdOrEmail>[0] &
  Pick<Charter, 'database'> &
  Pick<Authentication, 'callers'>;

/** Adds a member to an organization. */
export const createMemberAnswerer =
  (parts: AddingParts) =>
  (call: FastCall): boolean => {
    const { callers, database } = parts;
    const caller = database.refreshStamps ? undefined : callers.recall(call.request);
    if (!caller && !database.refreshStamps) return false;
    if (!isPlain(call.request)) return false;
    call.response.on('finish', call.done);
    void answerNewMember(parts, call, caller ?? callers.identify(call.request));
    return true;
  };

/**
 * Whether the fast path may add the member. A request with a cookie instead of an API key needs the XSRF check, which
 * only Nest's route makes.
 */
const isPlain = (request: IncomingMessage) =>
  bearerOf(request) !== undefined &&
  request.headers['idempotency-key'] === undefined &&
  !isCompressed(request) &&
  isJson(request);

async function answerNewMember(parts: AddingParts, call: FastCall, asking: Caller | Promise<Caller>) {
  const {
    request,
    response,
    params: [id = ''],
  } = call;
  let known: Caller | undefined;
  try {
    const [caller, body] = await Promise.all([asking, readBody(request)]); // reads the body while the key is looked up
    known = caller;
    const newMember = { ...validated(NewMember, parseJson(body)), language: requestLanguage(request) };
    const about = { id: requestIdOf(request), caller, at: momentAt(parts.now()), key: undefined };
    const context = commandContextFor(about, id, request.headers['if-match']);
    const { member, receipt } = await addMemberByIdOrEmail(parts, id, newMember, context);
    const { status, headers, body: answer } = receiptAnswer(receipt, { id: member, at: request.url! });
    const text = JSON.stringify(answer);
    const all = {
      ...parts.commonHeaders(),
      'Request-Id': requestIdOf(request),
      ...headers,
      'Content-Type': JSON_TYPE,
      'Content-Length': String(Buffer.byteLength(text)),
    };
    sendTogether(response, status, all, text);
  } catch (error) {
    refuseFast(parts, call, known, error);
  }
}
