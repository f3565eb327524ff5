import { randomUUID } from 'node:crypto';
import type { Feature, Limit, Reason } from '@charter/client';
import type { Client, EvaluationContext } from '@openfeature/server-sdk';
import { done, founded, path } from '../support/requests/organizations';
import type { Served } from '../support/serving';

/** The values and reasons of a flag that `GET /entitlements` and the organization's document demand. */
export type ExpectedFlag = Readonly<{
  value: boolean | number | string;
  variant: string;
  reason: 'TARGETING_MATCH' | 'STATIC' | 'DISABLED';
  because: string | undefined;
}>;

type Steps = Parameters<typeof done>[3][];
const plan = (line: string, name: string): Steps => [['PUT', '/plan', { line, plan: name }]];
const bought = (addOn: string, quantity?: number): Steps => [
  ['POST', '/add-ons', { addOn, ...(quantity && { quantity }) }],
];
const member = (): Steps => [['POST', '/members', { user: randomUUID(), role: 'member' }]];
const closed: Steps = [['POST', '/close', { reason: 'moved away' }]];
const override: Steps = [['PUT', '/limits/override', { reason: 'a favour' }]];
const disabled: Steps = [['PUT', '/product', { enabled: false }]];

/** The histories of twenty organizations, in which every kind of reason occurs. */
const lives: readonly Steps[] = [
  [],
  plan('first', 'essential'),
  plan('first', 'professional'),
  plan('second', 'solo'),
  plan('second', 'teams'),
  plan('second', 'enterprise'),
  [...plan('second', 'solo'), ...bought('additionalUser', 3)],
  [...plan('second', 'solo'), ...bought('additionalUser', 3), ...override],
  [...plan('second', 'teams'), ...member(), ...member()],
  [...plan('second', 'solo'), ...member()],
  [...plan('second', 'teams'), ...bought('feedback')],
  [...plan('first', 'essential'), ...plan('second', 'teams')],
  [...plan('second', 'teams'), ['PUT', '/limits', { users: 50 }]],
  [...plan('second', 'teams'), ['PUT', '/limits', { users: 0 }]],
  [...plan('second', 'teams'), ['PUT', '/service-level', { serviceLevel: 'assisted' }]],
  [...plan('second', 'teams'), ...disabled],
  [...plan('second', 'enterprise'), ...closed],
  [...closed],
  [...plan('second', 'enterprise'), ['DELETE', '/plan/second']],
  [...plan('second', 'solo'), ['PUT', '/limits', { contentSections: 2 }]],
];

/** Founds the organizations. Resolves with their ids. */
export const variedOrganizations = (served: Pick<Served, 'ask' | 'key'>, by: string): Promise<readonly string[]> =>
  Promise.all(
    lives.map(async (life) => {
      const id = await founded(served, { by });
      await done(served, by, id, ...life);
      return id;
    }),
  );

type Value = ExpectedFlag['value'];

/** Asks OpenFeature's server SDK for a flag of the type of the fallback. */
export const detailsOf = (client: Client, flag: string, fallback: Value, context: EvaluationContext) => {
  if (typeof fallback === 'boolean') return client.getBooleanDetails(flag, fallback, context);
  if (typeof fallback === 'number') return client.getNumberDetails(flag, fallback, context);
  return client.getStringDetails(flag, fallback, context);
};

/** A value of the same type that no flag has. */
export const otherValue = (value: Value): Value =>
  typeof value === 'boolean' ? !value : typeof value === 'number' ? -1 : 'no plan at all';

/** Checks that the client's provider has these values and reasons. */
export const expectProvided = (
  client: Client,
  targetingKey: string,
  expected: ReadonlyMap<string, ExpectedFlag>,
): Promise<unknown> =>
  Promise.all(
    [...expected].map(async ([flag, { because, ...known }]) => {
      const details = await detailsOf(client, flag, otherValue(known.value), { targetingKey });
      const { value, variant, reason, flagMetadata } = details;
      expect([flag, { value, variant, reason }, flagMetadata['because']]).toEqual([flag, known, because]);
    }),
  );

/** The expected flags of an organization, computed from the answers of the API. */
export async function expectedFlags(
  served: Pick<Served, 'ask'>,
  by: string,
  id: string,
): Promise<ReadonlyMap<string, ExpectedFlag>> {
  const [{ body }, { body: document }] = [
    await served.ask('GET', path(id, '/entitlements'), { key: by }),
    await served.ask('GET', path(id), { key: by }),
  ];
  const flags = new Map<string, ExpectedFlag>();
  for (const [name, { on, because }] of Object.entries<Feature>(body.features)) {
    const isBlocked = because.some(({ kind }) => kind === 'product' || kind === 'closed');
    const reason = on ? 'TARGETING_MATCH' : isBlocked ? 'DISABLED' : 'STATIC';
    flags.set(name, { value: on, variant: on ? 'on' : 'off', reason, because: lineOf(because) });
  }
  for (const [name, { limit, remaining, because }] of Object.entries<Limit>(body.limits)) {
    const reason = name === 'webAnalyticsDomains' ? 'STATIC' : 'TARGETING_MATCH';
    const known = { reason, because: lineOf(because) } as const;
    flags.set(`limit.${name}`, {
      value: limit ?? 2_147_483_647,
      variant: limit === null ? 'unlimited' : 'limited',
      ...known,
    });
    const left = remaining === null ? 'unlimited' : remaining === 0 ? 'exhausted' : 'available';
    flags.set(`remaining.${name}`, { value: remaining ?? 2_147_483_647, variant: left, ...known });
  }
  for (const line of ['first', 'second']) {
    const held = document.plans[line] as { plan: string } | null;
    const sold = held && {
      variant: held.plan,
      reason: 'TARGETING_MATCH',
      because: `plan ${line}/${held.plan} (event ${document.since.plans[line].event})`,
    };
    flags.set(`plan.${line}`, {
      value: held?.plan ?? '',
      ...((sold ?? { variant: 'none', reason: 'STATIC', because: undefined }) as Omit<ExpectedFlag, 'value'>),
    });
  }
  return flags;
}

/** A subject inside an organization: a site or a member. */
type InnerSubject = Readonly<{ organization: string; kind: 'sites' | 'users'; id: string }>;

/** The expected flags of a site or a member, computed from the answers of the API. */
export async function expectedInnerFlags(
  { ask }: Pick<Served, 'ask'>,
  by: string,
  { organization, kind, id }: InnerSubject,
): Promise<ReadonlyMap<string, ExpectedFlag>> {
  const read = async (rest: string) => (await ask('GET', path(organization, rest), { key: by })).body;
  const onOff = (value: boolean) => ({ value, variant: value ? 'on' : 'off' });
  if (kind === 'sites') {
    const { features } = (await read(`/sites/${id}`)) as { features: Record<string, SiteSwitch> };
    const flags = Object.entries(features).map(([name, { on, because, event }]): [string, ExpectedFlag] => {
      const [reason, text] = siteReasons[because];
      return [`site.${name}`, { ...onOff(on), reason, because: `${text} (event ${event})` }];
    });
    return new Map(flags);
  }
  const { members } = (await read('')) as { members: { _id: string; role: string; roleSince: { event: number } }[] };
  const { role, roleSince } = members.find(({ _id }) => _id === id)!;
  const { recipients } = (await read('/notification-recipients')) as { recipients: string[] };
  const because = `${role} (event ${roleSince.event})`;
  return new Map<string, ExpectedFlag>([
    ['role', { value: role, variant: role, reason: 'TARGETING_MATCH', because }],
    ['notified', { ...onOff(recipients.includes(id)), reason: 'TARGETING_MATCH', because: undefined }],
  ]);
}

type SiteSwitch = Readonly<{ on: boolean; because: keyof typeof siteReasons; event: number }>;
const siteReasons = {
  plan: ['TARGETING_MATCH', 'plan'],
  site: ['STATIC', 'set for this site'],
  closed: ['DISABLED', 'closed'],
} as const;

const lineOf = (because: readonly Reason[]) => {
  const isSummand = ({ kind }: Reason) => kind !== 'hard-limit' && kind !== 'override';
  const texts = (of: readonly Reason[]) => of.map((one) => `${textOf(one)} (event ${one.event})`);
  const sum = texts(because.filter(isSummand)).join(' + ');
  return [sum, ...texts(because.filter((one) => !isSummand(one)))].filter(Boolean).join('; ') || undefined;
};

function textOf({ kind, what, quantity, amount }: Reason): string {
  switch (kind) {
    case 'plan':
    case 'product':
    case 'report':
      return `${kind} ${what}`;
    case 'add-on':
      return quantity === undefined ? what : `${what} ×${quantity}`;
    case 'by-hand':
      return `${what}: ${amount ?? 'unlimited'}`;
    case 'not-in-plan':
      return `not in ${what}`;
    case 'service-level':
      return `service level ${what}`;
    case 'hard-limit':
      return `hard limit ${amount}`;
    case 'override':
    case 'closed':
      return `${kind}: ${what}`;
    default:
      return what;
  }
}
