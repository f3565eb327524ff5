import type { AccountStore } from '@charter/identity';

/**
 * Whether the store has never had an account, so that the sign-in page explains how to create the first operator.
 * Searches for an account only until one exists. Without an answer of the store, the page explains nothing.
 */
export function watchFirstAccount(accounts: Pick<AccountStore, 'existed'>): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    isKnown ||= await accounts.existed().catch(() => true);
    return !isKnown;
  };
}
