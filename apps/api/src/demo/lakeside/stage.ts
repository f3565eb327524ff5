import { type Actor, type Moment, momentAt } from '@charter/decider';
import type { MemberRole, Organization, OrganizationCommand } from '@charter/organization';
import type { Rehearsal } from './rehearsal';
import type { SeededRandom } from './seeded-random';

/** The ids in the example organization's history. All ids of the demo are derived from the store's id. */
export type LakesideIds = Readonly<{
  of: (...parts: readonly string[]) => string;
  operator: string;
}>;

/** One day in the life of the example organization. Each request happens some minutes after the previous request. */
export type Stage = Readonly<{
  day: number;
  random: SeededRandom;
  ids: LakesideIds;
  state: () => Organization;
  /** The start (00:00 UTC) of the day that lies this number of days before `day`. */
  daysAgo: (days: number) => Moment;
  /** Executes the commands of one request of an owner or administrator. */
  byMember: (...commands: readonly OrganizationCommand[]) => boolean;
  byOwner: (...commands: readonly OrganizationCommand[]) => boolean;
  byOperator: (...commands: readonly OrganizationCommand[]) => boolean;
  /** Executes the commands of a program that uses an API key. */
  byKey: (name: 'traffic' | 'directory', ...commands: readonly OrganizationCommand[]) => boolean;
  /** Executes the commands of one message of the payment provider. */
  byBilling: (...commands: readonly OrganizationCommand[]) => boolean;
}>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The requests of a day begin some minutes after seven o'clock UTC. */
const MORNING_MINUTES = 7 * 60;

/** @param start the start of the day in UTC, in milliseconds since 1970 */
export function stageOn(
  day: number,
  start: number,
  { random, ids, rehearsal }: Readonly<{ random: SeededRandom; ids: LakesideIds; rehearsal: Rehearsal }>,
): Stage {
  let minutes = MORNING_MINUTES;
  const later = () => momentAt(start + (minutes += random.between(3, 40)) * MINUTE_MS + random.between(0, 59_999));
  const execute = (actor: Actor | undefined, commands: readonly OrganizationCommand[]) =>
    actor !== undefined && rehearsal.execute({ actor, at: later() }, ...commands);
  const oneWith = (...roles: readonly MemberRole[]): Actor | undefined => {
    const holders = Object.entries(rehearsal.state().members).filter(([, { role }]) => roles.includes(role));
    const id = random.oneOf(holders)?.[0];
    return id === undefined ? undefined : { kind: 'account', id, powers: [] };
  };
  return {
    ...{ day, random, ids, state: rehearsal.state },
    daysAgo: (count) => momentAt(start - count * DAY_MS),
    byMember: (...commands) => execute(oneWith('owner', 'admin'), commands),
    byOwner: (...commands) => execute(oneWith('owner'), commands),
    byOperator: (...commands) => execute({ kind: 'account', id: ids.operator, powers: ['operator'] }, commands),
    byKey: (name, ...commands) => execute({ kind: 'key', id: ids.of('key', name), powers: keyScopes[name] }, commands),
    byBilling: (...commands) => {
      const message = `evt_Lakeside${String(rehearsal.accepted.length).padStart(5, '0')}`;
      const actor: Actor = { kind: 'billing', id: 'stripe', powers: ['billing:write'] };
      return rehearsal.execute({ actor, at: later(), message }, ...commands);
    },
  };
}

const keyScopes = {
  traffic: ['organizations:operate'],
  directory: ['organizations:write'],
} as const;
