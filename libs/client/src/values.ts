import type { Entitlements, Reason } from './types.js';

export type FeatureName = keyof Entitlements['features'];
export type ResourceName = keyof Entitlements['limits'];

/** A limit as a program sees it. The amounts of an unlimited resource are null. */
export type LimitValue = Readonly<{
  limit: number | null;
  used: number;
  remaining: number | null;
  unlimited: boolean;
}>;

/** A reason, as the API shows it. In a browser a reason is a sentence (`what`), and its kind is `in-words`. */
export type WhyReason = Readonly<
  Omit<Reason, 'kind' | 'at' | 'event'> & { kind: Reason['kind'] | 'in-words'; at?: string; event?: number }
>;

type Value = Readonly<{ because: readonly WhyReason[] }>;

/** Entitlements of one organization at one revision. */
export type ValueSource = Readonly<{
  revision: number;
  features: Readonly<Record<string, Value & Readonly<{ on: boolean }>>>;
  limits: Readonly<Record<string, Value & LimitValue>>;
}>;

/** The values at one revision, prepared so that a read allocates nothing. */
export type Values = Readonly<{
  source: ValueSource;
  on: ReadonlyMap<string, boolean>;
  limits: ReadonlyMap<string, LimitValue>;
  why: ReadonlyMap<string, readonly WhyReason[]>;
}>;

/** Prepares values. A value that equals its earlier value stays the same object, so that React renders nothing. */
export function preparedValues(source: ValueSource, earlier?: Values): Values {
  const on = new Map(Object.entries(source.features).map(([key, value]) => [key, value.on]));
  const limits = new Map(
    Object.entries(source.limits).map(([key, { limit, used, remaining, unlimited }]) => [
      key,
      kept({ limit, used, remaining, unlimited }, earlier?.limits.get(key)),
    ]),
  );
  const why = new Map(
    [...Object.entries(source.features), ...Object.entries(source.limits)].map(([key, { because }]) => [
      key,
      kept(because, earlier?.why.get(key)),
    ]),
  );
  return { source, on, limits, why };
}

const kept = <Each extends object>(now: Each, before?: Each): Each =>
  before && JSON.stringify(before) === JSON.stringify(now) ? before : Object.freeze(now);

/** The names of the features and limits whose values or reasons differ. */
export function changedKeys(before: Values | undefined, now: Values | undefined): readonly string[] {
  const names = new Map([...(before?.why ?? []), ...(now?.why ?? [])]).keys();
  return [...names].filter((name) =>
    (['on', 'limits', 'why'] as const).some((part) => before?.[part].get(name) !== now?.[part].get(name)),
  );
}
