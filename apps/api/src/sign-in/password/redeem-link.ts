import { type Account, type AccountChange, type AccountFact, isExpired, type AccountLink } from '@charter/identity';
import { orUnavailable, retryLater, ProblemError } from '../../http/problems/problem';
import { ownAccountContext } from '../../account/own-account';
import type { Runtime } from '../../process/runtime';
import type { IncomingMessage } from 'node:http';

/** What a link is good for; undefined: it is not good for this account, as it is now. */
export type LinkRedemption = Readonly<{
  factOf: (account: Account) => AccountFact;
  changeFor: (link: AccountLink, account: Account) => Promise<AccountChange | undefined> | AccountChange | undefined;
}>;
export type RedeemedLink = Readonly<{ before: Account; after: Account }>;

/**
 * Uses a link up in the same moment as it changes the account that it belongs to; all sessions and all other links end with
 * it. It is recorded before it is done, so whatever fails leaves the link good, and may be told twice, but never not at all.
 * @throws Stop 400 `reset-link-invalid`; 503
 */
export function redeemLink(
  runtime: Runtime,
  request: IncomingMessage,
  hash: string,
  redeeming: LinkRedemption,
): Promise<RedeemedLink> {
  const before = underWay.get(hash) ?? Promise.resolve();
  const mine = before.then(() => redeemed(runtime, request, hash, redeeming));
  const settled = mine.catch(() => undefined);
  underWay.set(hash, settled);
  void settled.then(() => underWay.get(hash) === settled && underWay.delete(hash));
  return mine;
}
/** One after the other, so that those who were too late find no link, and nothing is told of them. */
const underWay = new Map<string, Promise<unknown>>();

async function redeemed(
  runtime: Runtime,
  request: IncomingMessage,
  hash: string,
  { factOf, changeFor }: LinkRedemption,
): Promise<RedeemedLink> {
  const { accounts } = runtime.documents.people;
  let recorded = false;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { link, account } = await linkOf(runtime, hash);
    const change = await changeFor(link, account);
    if (!change) throw invalidLink(account.id);
    if (!recorded) await record(runtime, request, account.id, factOf(account));
    recorded = true;
    const done = await orUnavailable(
      accounts.change(account.id, account.version, change, { sessions: true, links: true }),
    );
    if (done === 'changed') return { before: account, after: { ...account, ...change, version: account.version + 1 } };
    if (done !== 'stale') throw invalidLink(account.id);
  }
  throw retryLater('busy', 'Somebody else is changing this account. Try again.');
}
/** Each time somebody else has to change the same account in between. */
const TRIES_MAX = 5;

/**
 * A link, and its account at a moment when the link was still good: it is looked for again, because whatever ends it makes
 * another version of the account. @throws Stop 400, 503
 */
export async function linkOf(
  { documents, now }: Runtime,
  hash: string,
): Promise<{ link: AccountLink; account: Account }> {
  const { links, accounts } = documents.people;
  const found = await orUnavailable(links.find(hash));
  const account = found && (await orUnavailable(accounts.byId(found.account)));
  const link = account && (await orUnavailable(links.find(hash)));
  if (!link || isExpired(link, now())) throw invalidLink(found?.account);
  return { link, account };
}

const record = ({ trail, now }: Runtime, request: IncomingMessage, id: string, fact: AccountFact) =>
  trail.record({ account: id }, fact, ownAccountContext(id, request, now()));

/** One answer, whatever is wrong with a link. */
export const invalidLink = (account?: string) =>
  new ProblemError(400, 'reset-link-invalid', 'This link does not work any more. Ask for a new one.').noting({
    account,
  });
