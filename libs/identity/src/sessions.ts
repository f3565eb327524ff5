import { hash } from 'node:crypto';
import type { RandomSource } from './keys';
import type { Session } from './people';

/** Milliseconds without use after which a session ends, and after which it ends at the latest (`decisions.md`, Signing in, 12). */
export type SessionLimits = Readonly<{ idle: number; max: number }>;

/**
 * A new session of an account. The cookie's value is 256 random bits that only this browser will know; kept is its hash.
 * @param agent what the browser calls itself
 * @param organization the only one that it is good for
 */
export function newSession(
  account: string,
  method: Session['method'],
  agent: string,
  random: RandomSource,
  now: number,
  organization: string | null = null,
): { cookie: string; session: Session } {
  const cookie = Buffer.from(random.bytes(32)).toString('base64url');
  const began = new Date(now).toISOString();
  const session = {
    id: random.uuid(),
    hash: sessionHash(cookie),
    account,
    method,
    organization,
    agent: shortened(agent),
  };
  return { cookie, session: { ...session, began, used: began } };
}

/** How a cookie's value is found again: SHA-256, lower-case hex. The value is random, so nothing slower is needed. */
export const sessionHash = (cookie: string): string => hash('sha256', cookie, 'hex');

/** The moment, in milliseconds, from which on the session is over unless it is used before. */
export const sessionEnd = ({ used, began }: Pick<Session, 'used' | 'began'>, { idle, max }: SessionLimits): number =>
  Math.min(Date.parse(used) + idle, Date.parse(began) + max);

export const isSessionOver = (session: Pick<Session, 'used' | 'began'>, limits: SessionLimits, now: number): boolean =>
  now >= sessionEnd(session, limits);

/** Enough to recognize a browser by, and nothing that could steer a page or a terminal. */
const shortened = (agent: string) => Array.from(agent.replace(/\p{C}/gu, '')).slice(0, AGENT_LENGTH).join('');
const AGENT_LENGTH = 200;
