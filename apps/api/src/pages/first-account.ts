import type { AccountStore } from '@charter/identity';

/**
 * Whether the store has never had an account, so that the sign-in page explains how to create the first operator.
 * Searches for an account only until one exists. While the store does not answer, the page explains nothing.
 */
export function watchFirstAccount(accounts: Pick<AccountStore, 'existed'>): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    if (isKnown) return false;
    const existed = await accounts.existed().catch(() => undefined);
    isKnown = existed === true;
    return existed === false;
  };
}
