import { hash } from 'node:crypto';
import { momentAt } from '@charter/decider';
import type { RandomSource } from './keys';
import type { Session } from './people';

/** The maximum idle time and the maximum age of a session, in milliseconds (`decisions.md`, Signing in, 12). */
export type SessionLimits = Readonly<{ idle: number; max: number }>;

/**
 * Creates a session and its cookie's value of 256 random bits. Charter does not store the cookie's value; the session
 * contains only the hash of the value.
 * @param agent the browser's user agent
 * @param organization the only organization that the session may access; null if it may access every organization
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
  const began = momentAt(now);
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

/**
 * The stored form of a cookie's value: its SHA-256 in lower-case hex. The value is random, so Charter needs no slow
 * hash.
 */
export const sessionHash = (cookie: string): string => hash('sha256', cookie, 'hex');

/** The moment at which the session ends unless the person uses it again, in milliseconds since 1970. */
export const sessionEnd = ({ used, began }: Pick<Session, 'used' | 'began'>, { idle, max }: SessionLimits): number =>
  Math.min(Date.parse(used) + idle, Date.parse(began) + max);

export const isSessionOver = (session: Pick<Session, 'used' | 'began'>, limits: SessionLimits, now: number): boolean =>
  now >= sessionEnd(session, limits);

/**
 * Shortens a user agent to a length that still shows the browser. Removes characters that could control a page or a
 * terminal.
 */
const shortened = (agent: string) => Array.from(agent.replace(/\p{C}/gu, '')).slice(0, AGENT_LENGTH).join('');
const AGENT_LENGTH = 200;
