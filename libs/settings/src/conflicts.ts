import type { Environment } from './environment';
import { isOnLoopback } from './loopback';
import type { Settings } from './settings';

/** Returns one sentence for each conflict between settings, and for each missing setting. */
export const settingsConflicts = (
  all: Settings,
  set: Environment,
  documentFields: ReadonlySet<string>,
): readonly string[] => [
  ...conflictsIn(all),
  ...(documentFields.has(all.productKey) ? [keyConflict(set)] : []),
  ...halvesIn(set),
  ...missingOf(all),
];

function conflictsIn(all: Settings): string[] {
  const conflicts: string[] = [];
  if (all.demo === 'on' && !isOnLoopback(all))
    conflicts.push('CHARTER_DEMO: is on, but HOST and PUBLIC_URL are not both on loopback.');
  if (!all.rateLimits && !isOnLoopback(all))
    conflicts.push('RATE_LIMITS: is off, which is allowed only for measurements on loopback.');
  if (all.sessionMax < all.sessionIdle) conflicts.push('SESSION_IDLE: is longer than SESSION_MAX.');
  if (all.productKey === '')
    conflicts.push('PRODUCT_NAME: contains no ASCII letter, so no key can be made from it. Set PRODUCT_KEY.');
  return conflicts;
}

const keyConflict = ({ PRODUCT_KEY: key }: Environment) =>
  key === undefined
    ? 'PRODUCT_NAME: its key would be the name of another field of an organization. Set PRODUCT_KEY.'
    : 'PRODUCT_KEY: must not be the name of another field of an organization.';

const halvesIn = ({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }: Environment): string[] =>
  (id === undefined) === (secret === undefined)
    ? []
    : [`GOOGLE_CLIENT_${id === undefined ? 'SECRET: needs GOOGLE_CLIENT_ID' : 'ID: needs GOOGLE_CLIENT_SECRET'}.`];

/**
 * Messages for required settings that are missing. Processes that share a store need the same secrets. A generated
 * secret is known to only one process, so the settings must contain the secrets.
 */
function missingOf({ role, eventStore, documentsServer, sessionSecret, checkpointKey }: Settings): string[] {
  const missing: string[] = [];
  if (role !== 'all' && !(eventStore && documentsServer))
    missing.push("ROLE: must be all if a store is embedded, because processes cannot share the store's file.");
  if (!eventStore && !documentsServer) return missing;
  if (sessionSecret === undefined)
    missing.push(`SESSION_SECRET: ${required} It is at least 32 characters: openssl rand -base64 48`);
  if (checkpointKey === undefined)
    missing.push(`CHECKPOINT_KEY: ${required} It is 32 bytes in base64: openssl rand -base64 32`);
  return missing;
}

const required = 'is required where a store is not embedded, and the same for every process.';
