import type { Actor } from '@charter/decider';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import { attemptLimits, requireAttemptInAll } from '../../sign-in/limits';

/**
 * Counts an invitation for its actor and its organization (`decisions.md`, Signing in, 16). An invitation counts
 * whether or not the address has an account. Operators, and API keys with an operator's powers over organizations, have
 * no limit. An invitation that one of the limits refuses does not count.
 * @throws ProblemError 429
 */
export async function requireInvitation(
  runtime: Pick<Charter, 'settings' | 'database'> & Clock,
  organization: string,
  { kind, id, powers }: Actor,
): Promise<{ takeBack: () => Promise<void> }> {
  if (powers.some((power) => exempt.has(power))) return { takeBack: () => Promise.resolve() };
  const counters = [
    [attemptLimits.invitationsActor, `${kind} ${id}`],
    [attemptLimits.invitationsOrganizationHour, organization],
    [attemptLimits.invitationsOrganizationDay, organization],
  ] as const;
  return requireAttemptInAll(runtime, counters, 'Too many invitations in a short time. Wait a while and try again.');
}

const exempt: ReadonlySet<string> = new Set(['operator', 'organizations:operate']);
