import { Client } from 'pg';
import { isError } from '../unavailable';
import type { PostgresAddress } from './address';
import { configOf } from './pool';

/** Removes the old rows of erased people in the background. */
export type Vacuuming = Readonly<{
  /**
   * Starts a vacuum. Resolves to true as soon as a vacuum that began after the call has succeeded, and to false after
   * `end`.
   */
  start: () => Promise<boolean>;
  /** The failure of the last vacuum; undefined if that vacuum has succeeded or is still running. */
  failure: () => string | undefined;
  /** Prevents further vacuums, and disconnects from a vacuum that is running. */
  end: () => Promise<void>;
}>;

/**
 * Vacuums the tables of people, so that the server soon removes erased rows from its files. Repeats a failed vacuum
 * until it succeeds, for example after a restart of the server. All calls during a vacuum share the next vacuum.
 */
export function vacuuming(address: PostgresAddress): Vacuuming {
  const waiting: ((hasSucceeded: boolean) => void)[] = [];
  let client: Client | undefined;
  let [isBusy, hasEnded] = [false, false];
  let failure: string | undefined;
  let retry: NodeJS.Timeout | undefined;

  const run = async () => {
    isBusy = true;
    failure = undefined;
    while (waiting.length > 0 && failure === undefined && !hasEnded) {
      const callers = waiting.splice(0);
      failure = await vacuumPeople(() => (client = vacuumClient(address)));
      if (failure === undefined) for (const resolve of callers) resolve(true);
      else waiting.unshift(...callers);
    }
    isBusy = false;
    if (hasEnded) for (const resolve of waiting.splice(0)) resolve(false);
    else if (waiting.length > 0) retry = setTimeout(() => void run(), RETRY_MS).unref();
  };
  return {
    start: () => {
      if (hasEnded) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.push(resolve);
      clearTimeout(retry);
      if (!isBusy) void run();
      return promise;
    },
    failure: () => failure,
    end: async () => {
      hasEnded = true;
      clearTimeout(retry);
      if (isBusy) await client?.end();
      else for (const resolve of waiting.splice(0)) resolve(false);
    },
  };
}

/**
 * A separate connection without time limits, because a vacuum of large tables takes long. `Vacuuming.end` closes this
 * connection at once, even while a statement runs.
 */
export const vacuumClient = (address: PostgresAddress): Client => {
  const session = { search_path: address.schema, statement_timeout: 0, lock_timeout: 0 };
  const client = new Client({ ...configOf(address, session), connectionTimeoutMillis: CONNECT_MS });
  // Without a listener, an error of the connection would end the process. The error also rejects the pending statement.
  client.on('error', () => undefined);
  return client;
};

/**
 * Removes erased rows from tables and indexes. Without this vacuum, old row versions stay in tables and indexes until
 * the server's autovacuum.
 * @returns why the vacuum failed; undefined if it has succeeded
 */
async function vacuumPeople(open: () => Client): Promise<string | undefined> {
  let client: Client | undefined;
  try {
    client = open(); // fails if a file of a certificate is missing
    await client.connect();
    await client.query(
      `vacuum (index_cleanup on) accounts, account_subjects, sessions, links, mails, introductions, former_introductions,
        api_keys, billing_messages`,
    );
    return undefined;
  } catch (why) {
    return isError(why) ? why.message : String(why);
  } finally {
    void client?.end().catch(() => undefined);
  }
}

/** The pause before Charter repeats a failed vacuum, and the time limit for a new connection; in milliseconds. */
const RETRY_MS = 2_000;
const CONNECT_MS = 5_000;
