import type { Database, PurgeOptions, PurgeResult } from '@charter/database';
import { CertificateNotWritten, type CertificateStore } from './erasure-certificates';

type Stores = Readonly<{
  database: Pick<Database, 'purgeErased'>;
  certificates?: Pick<CertificateStore, 'keep'> | undefined;
}>;

/**
 * Thrown when the accounts are erased, but have no certificate yet: a file of the database still contains erased data,
 * or Charter cannot write a certificate. Charter stores no certificate while a file contains erased data.
 */
export class ErasedDataRemains extends Error {
  constructor(remains: string | null) {
    super(
      `The account is erased, but there is no certificate yet. ${remains} Charter repeats the purge later and then ` +
        'stores the certificate. To get the certificate, an operator erases the account again.',
    );
    this.name = 'ErasedDataRemains';
  }
}

/**
 * Removes the erased bytes from the files of the database (purge), and then stores the certificates of accounts that
 * are erased in the tables. After a failed purge this function stores no certificate, because a certificate promises
 * that the data is gone (`acceptance.md` U6). If this function cannot write a certificate, the outcome is `failed` as
 * well, so that the caller repeats the call later.
 */
export async function certifyErasures(
  { database, certificates }: Stores,
  accounts: readonly string[],
  options: PurgeOptions = {},
): Promise<PurgeResult> {
  if (accounts.length === 0) return { outcome: 'done', remains: null };
  const purged = await database.purgeErased(options);
  if (purged.outcome === 'failed') return purged;
  try {
    for (const account of accounts) await certificates?.keep(account);
    return purged;
  } catch (error) {
    if (!(error instanceof CertificateNotWritten)) throw error;
    return { outcome: 'failed', remains: error.message };
  }
}
