import { createHmac, type KeyObject, randomUUID } from 'node:crypto';
import { momentAt } from '@charter/decider';
import { noPreferences, type Account, type PlatformRole } from '@charter/identity';
import type { Charter } from '@charter/application';

/** An account of the demo with which a person can try a role (`decisions.md`, Signing in, 15). */
export type DemoPerson = Readonly<{
  id: string;
  email: string;
  name: string;
  about: string;
  role: PlatformRole | null;
  /** The organization whose member list shows this person's name from the start. */
  organization?: string;
}>;

/**
 * The data for a sign-in to a demo account, which the process prints at its start. The password is absent if a person
 * has changed it.
 */
export type DemoSignIn = Readonly<{ about: string; email: string; password: string | undefined }>;

/**
 * Creates missing accounts, and returns the sign-in data of all demo accounts. Passwords are derived from the session
 * secret and the store's id. Each start therefore prints the same passwords, and no store contains the passwords.
 * @throws the reason of `stopping`
 */
export async function demoSignIns(
  charter: Charter,
  people: readonly DemoPerson[],
  now: number,
  stopping: AbortSignal,
): Promise<readonly DemoSignIn[]> {
  const { passwords, keyFor } = charter;
  const { accounts } = charter.database.people;
  const shown: DemoSignIn[] = [];
  for (const person of people) {
    stopping.throwIfAborted(); // each password costs a fraction of a second
    const password = passwordFor(keyFor('demo'), person.id);
    const account =
      (await accounts.byId(person.id)) ?? (await createAccount(charter, person, await passwords.hash(password), now));
    if (!account) continue;
    const { state, email, passwordHash } = account;
    if (state !== 'active' || email === null) continue;
    const works = await passwords.verify(passwordHash, password);
    shown.push({ about: person.about, email, password: works ? password : undefined });
  }
  return shown;
}

/**
 * Creates the account of a person. If the person belongs to an organization, adds an introduction, so that the other
 * members see the name. Without a password hash, the person cannot sign in. Returns undefined if another account
 * already has the address.
 */
export async function createAccount(
  { database, trail }: Pick<Charter, 'database' | 'trail'>,
  person: Omit<DemoPerson, 'about'>,
  passwordHash: string | null,
  now: number,
): Promise<Account | undefined> {
  const { accounts, introductions } = database.people;
  const fresh = accountOf(person, passwordHash, now);
  const isOurs = (await accounts.insert(fresh)) === 'made';
  const account = isOurs ? fresh : await accounts.byId(person.id); // another process may have created the account first
  if (!account) return undefined;
  if (isOurs) await noteMade(trail, person, fresh.created);
  if (person.organization !== undefined) await introductions.add(person.organization, person.id);
  return account;
}

async function noteMade(
  trail: Charter['trail'],
  { id, role }: Pick<DemoPerson, 'id' | 'role'>,
  at: string,
): Promise<void> {
  const context = { actor: maker, at, correlation: randomUUID() };
  await trail.record({ account: id }, { type: 'AccountCreated', data: { by: 'demo' } }, context);
  if (role !== null) await trail.record({ account: id }, { type: 'RoleAssigned', data: { role } }, context);
}

/** A password of 96 bits in a form that is easy to copy. */
const passwordFor = (key: KeyObject, id: string): string =>
  createHmac('sha256', key)
    .update(id)
    .digest('hex')
    .slice(0, 24)
    .replace(/(.{6})(?=.)/g, '$1-');

const accountOf = (
  { id, email, name, role }: Omit<DemoPerson, 'about'>,
  passwordHash: string | null,
  now: number,
): Account => ({
  id,
  state: 'active',
  email,
  emailVerified: true,
  username: null,
  name,
  role,
  ...noPreferences,
  passwordHash,
  created: momentAt(now),
  version: 0,
});

const maker = { kind: 'system', id: 'demo', powers: [] } as const;
