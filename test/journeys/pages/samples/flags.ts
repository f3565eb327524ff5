type Limits = Readonly<Record<string, Readonly<{ limit: number; remaining: number; because: readonly object[] }>>>;
type Features = Readonly<Record<string, Readonly<{ on: boolean; because: readonly object[] }>>>;
type Reason = Readonly<{ kind: string; what: string; event: number }>;

/** The bulk answer of OFREP for the sample organization with these entitlements. */
export function flagList(
  id: string,
  { revision, limits, features }: Readonly<{ revision: number; limits: Limits; features: Features }>,
) {
  const metadataOf = (because: readonly object[]) => {
    const reasons = because as readonly Reason[];
    return {
      because: reasons
        .map(({ kind, what, event }) => `${kind.replaceAll('-', ' ')} ${what} (event ${event})`)
        .join(' + '),
      event: Math.max(...reasons.map(({ event }) => event)),
    };
  };
  const amounts = (name: string, field: 'limit' | 'remaining') =>
    Object.entries(limits).map(([resource, limit]) => ({
      ...{ key: `${name}.${resource}`, value: limit[field], reason: 'TARGETING_MATCH' },
      ...{ variant: limit[field] === 0 ? 'exhausted' : 'available', metadata: metadataOf(limit.because) },
    }));
  const flags = [
    ...Object.entries(features).map(([key, { on, because }]) => ({
      ...{ key, value: on, reason: on ? 'TARGETING_MATCH' : 'STATIC', variant: on ? 'on' : 'off' },
      metadata: metadataOf(because),
    })),
    ...amounts('limit', 'limit'),
    ...amounts('remaining', 'remaining'),
    { key: 'plan.first', value: '', reason: 'STATIC', variant: 'none', metadata: {} },
    {
      ...{ key: 'plan.second', value: 'teams', reason: 'TARGETING_MATCH', variant: 'teams' },
      metadata: { because: 'plan second/teams (event 1101)', event: 1101 },
    },
  ];
  return { flags, metadata: { contextId: id, flagSetId: id, version: String(revision), revision } };
}
