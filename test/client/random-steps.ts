import { randomUUID } from 'node:crypto';
import type { CharterOrganization, Entitlements, FeatureName, ResourceName } from '@charter/client';
import type { Chance } from '../history/files/tampering';
import { path } from '../support/requests/organizations';
import { type Served, until } from '../support/serving';

/** A request that may change the entitlements of an organization. Charter may refuse the request. */
function randomStep(chance: Chance) {
  const any = <Each>(...from: readonly Each[]): Each => from[chance(from.length)]!;
  const users = any(0, 1, 5);
  return any<{ method: string; rest: string; body?: object }>(
    { method: 'PUT', rest: '/plan', body: { line: 'second', plan: any('solo', 'teams') } },
    { method: 'DELETE', rest: '/plan/second' },
    { method: 'PUT', rest: '/limits', body: { users } },
    { method: 'POST', rest: '/members', body: { user: randomUUID(), role: any('owner', 'member') } },
    { method: 'POST', rest: '/add-ons', body: { addOn: 'additionalUser', quantity: any(1, 2) } },
    { method: 'PUT', rest: '/product', body: { enabled: any(true, false) } },
  );
}

/** Sends a random step, and waits until the client has the new entitlements. @throws if they differ from the API */
export async function expectEqualAfterStep(
  { ask }: Pick<Served, 'ask'>,
  key: string,
  organization: CharterOrganization,
  chance: Chance,
): Promise<void> {
  const { method, rest, body } = randomStep(chance);
  await ask(method, path(organization.id, rest), { key, body });
  const { body: expected } = await ask('GET', path(organization.id, '/entitlements'), { key });
  await until(
    () => organization.freshness.revision === expected.revision || hasExpectedValues(organization, expected),
    10_000,
  );
  expect(valuesOf(organization, expected)).toEqual(expectedValues(expected));
}

const hasExpectedValues = (organization: CharterOrganization, expected: Entitlements) =>
  JSON.stringify(valuesOf(organization, expected)) === JSON.stringify(expectedValues(expected));

const valuesOf = (organization: CharterOrganization, { features, limits }: Entitlements) => [
  ...Object.keys(features).map((name) => [name, organization.can(name as FeatureName)]),
  ...Object.keys(limits).map((name) => [name, organization.limit(name as ResourceName)]),
];

const expectedValues = ({ features, limits }: Entitlements) => [
  ...Object.entries(features).map(([name, { on }]) => [name, on]),
  ...Object.entries(limits).map(([name, { limit, used, remaining, unlimited }]) => [
    name,
    { limit, used, remaining, unlimited },
  ]),
];
