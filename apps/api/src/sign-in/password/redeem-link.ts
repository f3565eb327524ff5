import { type Account, type AccountChange, type AccountFact, isExpired, type AccountLink } from '@charter/identity';
import { retryLater, ProblemError } from '../../http/problems/problem';
import { knownDevice } from '../device-cookie';
import { clearFailedSignIns } from '../limits';
import { ownAccountContext } from '../../account/own-account';
import type { IncomingMessage } from 'node:http';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';

/**
 * The effect of using a link. `changeFor` returns undefined if the link is not valid for the account in its current
 * state.
 */
export type LinkRedemption = Readonly<{
  factsOf: (account: Account) => readonly AccountFact[];
  changeFor: (link: AccountLink, account: Account) => Promise<AccountChange | undefined> | AccountChange | undefined;
}>;
type Redeeming = Pick<Charter, 'settings' | 'keyFor' | 'database' | 'trail'> & Clock;
export type RedeemedLink = Readonly<{ before: Account; after: Account }>;

/**
 * Records the audit facts, and then changes the account of a link. The transaction that changes the account also
 * deletes its sessions and links. Finally clears the counts of failed sign-ins of the account and of the browser. After
 * a failure the link stays valid, and a repeated request may record the facts twice.
 * @throws ProblemError 400 `reset-link-invalid`; 503
 */
export function redeemLink(
  runtime: Redeeming,
  request: IncomingMessage,
  hash: string,
  redeeming: LinkRedemption,
): Promise<RedeemedLink> {
  const before = redemptions.get(hash) ?? Promise.resolve();
  const mine = before.then(() => redeem(runtime, request, hash, redeeming));
  const settled = mine.catch(() => undefined);
  redemptions.set(hash, settled);
  void settled.then(() => redemptions.get(hash) === settled && redemptions.delete(hash));
  return mine;
}
/**
 * Requests with the same link run one after the other. After a success, later requests therefore find no link and
 * record nothing.
 */
const redemptions = new Map<string, Promise<unknown>>();

async function redeem(
  runtime: Redeeming,
  request: IncomingMessage,
  hash: string,
  { factsOf, changeFor }: LinkRedemption,
): Promise<RedeemedLink> {
  const { accounts } = runtime.database.people;
  let recorded = false;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { link, account } = await linkOf(runtime, hash);
    const change = await changeFor(link, account);
    if (!change) throw invalidLink(account.id);
    if (!recorded) for (const fact of factsOf(account)) await record(runtime, request, account.id, fact);
    recorded = true;
    const done = await accounts.change(account.id, account.version, change, { sessions: true, links: true });
    if (done === 'changed') {
      await clearFailedSignIns(runtime, account.id, knownDevice(runtime, request, account.id));
      return { before: account, after: { ...account, ...change, version: account.version + 1 } };
    }
    if (done !== 'stale') throw invalidLink(account.id);
  }
  throw retryLater('busy', 'Another request is changing this account. Try again.');
}
/**
 * The maximum number of attempts to use a link. Another attempt is needed only if another request has changed the
 * account meanwhile.
 */
const TRIES_MAX = 5;

/**
 * Reads a link and its account, both in the state of the same moment. Some changes of an account end its links. So if
 * the link still exists after the account was read, none of these changes came before.
 * @throws ProblemError 400, 503
 */
export async function linkOf(
  { database, now }: Pick<Charter, 'database'> & Clock,
  hash: string,
): Promise<{ link: AccountLink; account: Account }> {
  const { links, accounts } = database.people;
  const found = await links.find(hash);
  const account = found && (await accounts.byId(found.account));
  const link = account && (await links.find(hash));
  if (!link || isExpired(link, now())) throw invalidLink(found?.account);
  return { link, account };
}

const record = (
  { trail, now }: Pick<Charter, 'trail'> & Clock,
  request: IncomingMessage,
  id: string,
  fact: AccountFact,
) => trail.record({ account: id }, fact, ownAccountContext(id, request, now()));

/** The answer is the same for every invalid link. */
export const invalidLink = (account?: string) =>
  new ProblemError(400, 'reset-link-invalid', 'This link does not work any more. Request a new one.').noting({
    account,
  });
