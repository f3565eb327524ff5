import type { EntitlementStore } from './entitlement-store.js';
import { type ValueSource, preparedValues } from './values.js';

/** The values of a client as JSON, so that a later process can start without the server. Contains no credentials. */
export type CharterSnapshot = Readonly<{
  version: 1;
  url: string;
  organizations: readonly Readonly<{ etag: string | undefined; at: string; source: ValueSource; id: string }>[];
}>;

export const snapshotOf = (url: string, held: readonly Readonly<{ store: EntitlementStore }>[]): CharterSnapshot => ({
  version: 1,
  url,
  organizations: held.flatMap(({ store: { id, etag, state, since, values } }) =>
    values ? [{ id, etag, at: (state === 'fresh' ? new Date() : since).toISOString(), source: values.source }] : [],
  ),
});

/** Gives new stores their values from a snapshot of the same server, if these values are at most `ms` old. */
export function restoredFrom(snapshot: CharterSnapshot | undefined, url: string, ms: number) {
  const isKnown = snapshot?.version === 1 && snapshot.url === url;
  const known = new Map(isKnown ? snapshot.organizations.map((each) => [each.id, each]) : []);
  return (store: EntitlementStore): void => {
    const found = known.get(store.id);
    if (!found || !(Date.now() - Date.parse(found.at) <= ms)) return;
    store.values = preparedValues(found.source);
    store.etag = found.etag;
    store.since = new Date(found.at);
  };
}
