import type { IncomingMessage } from 'node:http';
import type { Authenticator, SignedInPerson } from '../../http/authentication/caller';
import type { BrowserSessions } from '../../sign-in/sessions';

/** The authentication of a request. */
export type Authentication = Readonly<{
  callers: Authenticator;
  browserSessions: BrowserSessions;
  /** The person who is signed in with this browser, by current facts. @throws ProblemError 503 */
  signedIn: (request: IncomingMessage) => Promise<SignedInPerson | undefined>;
}>;
export const AUTHENTICATION: unique symbol = Symbol('Authentication');
