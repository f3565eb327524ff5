import type { IncomingMessage } from 'node:http';
import type { Authenticator, SignedInPerson } from '../../http/authentication/caller';
import type { BrowserSessions } from '../../sign-in/sessions';

/** How a process authenticates requests. */
export type Authentication = Readonly<{
  callers: Authenticator;
  browserSessions: BrowserSessions;
  /** The person who is signed in with the browser of this request. @throws ProblemError 503 */
  signedIn: (request: IncomingMessage) => Promise<SignedInPerson | undefined>;
}>;
export const AUTHENTICATION: unique symbol = Symbol('Authentication');
