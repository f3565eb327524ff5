import type { ProblemText } from './problem-text';

/** The problems of any HTTP request: its form, its credentials, its conditions, and the state of the service. */
export const requestProblems = {
  malformed: {
    title: 'The request has a wrong form',
    meaning:
      'A value in the body, the query, the address or a header has a wrong form. The field `errors` names each wrong value by its path, with the rule for the value.',
    remedy: 'Correct each value in `errors`. Then send the request again.',
  },
  'not-json': {
    title: 'The body is not JSON',
    meaning: 'The content type of the request is not JSON in UTF-8.',
    remedy: 'Send the body as JSON, with the header `Content-Type: application/json`.',
  },
  packed: {
    title: 'The body is compressed',
    meaning: 'The request has a compressed body. The service reads only bodies without compression.',
    remedy: 'Send the body without compression, and without the header `Content-Encoding`.',
  },
  'too-large': {
    title: 'The request is too large',
    meaning:
      'The body is larger than the maximum, which is 100 KiB (1 MiB for messages of a payment provider). Or the commands make more events than one append may contain.',
    remedy: 'Send less data in a request, for example fewer commands.',
  },
  'headers-too-large': {
    title: 'The headers are too large',
    meaning: 'The address and the headers of the request are together larger than 16 KiB.',
    remedy: 'Send fewer or smaller headers. In a browser, delete the cookies of this site.',
  },
  'too-slow': {
    title: 'The request took too long to arrive',
    meaning: 'The request did not arrive completely within the time limit, so the service closed the connection.',
    remedy: 'Send the request again, over a faster connection.',
  },
  'unknown-method': {
    title: 'HTTP has no such method',
    meaning: 'The first word of the request is not a method of HTTP.',
    remedy: 'Send one of the methods in the API reference, such as GET or POST.',
  },
  'method-not-allowed': {
    title: 'The address does not accept this method',
    meaning: 'The address exists, but not for this method. The header `Allow` lists the methods of the address.',
    remedy: 'Send the request with one of the methods in `Allow`.',
  },
  'not-found': {
    title: 'There is nothing at this address',
    meaning: 'The service has no route and no file at this address.',
    remedy: 'Check the address. The API reference lists all routes.',
  },
  unauthenticated: {
    title: 'The request has no valid credentials',
    meaning:
      'The request has no session and no API key, or the session has ended, or the API key is not valid any more.',
    remedy: 'Sign in again, or send a valid API key in the header `Authorization: Bearer KEY`.',
  },
  xsrf: {
    title: 'The request lacks a valid XSRF token',
    meaning:
      'A cookie authorizes the request, so the request needs proof that it comes from a page of this service. The proof is missing, is not valid for this session, or the request comes from another site.',
    remedy:
      'Load the page again. A program repeats the cookie `XSRF-TOKEN` in the header `X-XSRF-TOKEN`, or uses an API key.',
  },
  stale: {
    title: 'The organization has changed',
    meaning: 'The header `If-Match` names a revision, but the organization has a newer revision now.',
    remedy: 'Read the organization again, decide again, and send the request with the new revision.',
  },
  'key-reused': {
    title: 'The idempotency key belongs to another request',
    meaning: 'An earlier request with another content used the same `Idempotency-Key`.',
    remedy: 'Choose a new key for each new request. Send the same key only with the same request.',
  },
  'unknown-revision': {
    title: 'The organization has no such revision',
    meaning: 'The request names a revision after the newest event. The field `last` is the newest revision.',
    remedy: 'Send a revision up to `last`.',
  },
  'unknown-checkpoint': {
    title: 'The change feed does not know the cursor',
    meaning:
      'The cursor names an event that this store does not contain. The store was probably restored from a backup.',
    remedy: 'Begin again without a cursor, and compare the events with the events that the program already has.',
  },
  'not-as-shown': {
    title: 'The effect differs from the preview',
    meaning:
      'The commands would now record other events than the preview has shown. The service executed none of the commands.',
    remedy: 'Request a new preview, check its effect, and send the commands with its `shown`.',
  },
  'nothing-to-undo': {
    title: 'There is nothing to undo',
    meaning: 'The named events changed no value that an undo could restore.',
    remedy: 'Name events that changed a value.',
  },
  'too-many-at-once': {
    title: 'Too many requests run at the same time',
    meaning: 'The caller or the organization already has the maximum number of running requests of this kind.',
    remedy: 'Wait until one of the requests has ended. Then send the request again, after the time in `Retry-After`.',
  },
  'too-many-attempts': {
    title: 'Too many attempts',
    meaning: 'The client or the account has made more attempts than the rate limit allows.',
    remedy: 'Wait for the number of seconds in the header `Retry-After`. Then try again.',
  },
  busy: {
    title: 'The service is busy',
    meaning: 'The service, or one organization, has too many requests at the moment. Nothing was written.',
    remedy: 'Send the request again after the time in `Retry-After`.',
  },
  'not-yet': {
    title: 'The answer is not ready yet',
    meaning: 'The read model does not contain the requested revision yet, or the service is still building it.',
    remedy: 'Send the request again after the time in `Retry-After`.',
  },
  unavailable: {
    title: 'The service cannot reach a store',
    meaning:
      'The event log, the tables or the payment provider does not answer, or the service is stopping. If the request was a write, its outcome is unknown.',
    remedy:
      'Send the request again after the time in `Retry-After`. Repeat a write with the same `Idempotency-Key`, so that the service executes it only once.',
  },
  internal: {
    title: 'The service had an unexpected error',
    meaning: 'A defect of the service prevented the answer. The log contains the details under the id of the request.',
    remedy: 'Report the problem to the operators, with the id of the request in the field `instance`.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
