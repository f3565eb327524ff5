import type { Catalogue, Entitlements, Feature, Limit, Offer, Traffic } from '@charter/client';
import { memo, useEffect, useState } from 'react';
import cardStyles from '../page-parts/Card.module.css';
import { MOMENT, Sentence } from '../page-parts/Moment';
import styles from './Limits.module.css';
import tagStyles from '../page-parts/Tag.module.css';
import { offeredToday, whyOff } from './feature-reasons';
import { TrafficWhy, Why } from './Why';
import { useWords } from '../words';

const WARN_PERCENT = 80;
const OLD_MS = 15 * 60_000;

type LimitsOf = Readonly<{
  limits: Entitlements['limits'];
  features: Entitlements['features'];
  /** Undefined until the catalogue has arrived. */
  catalogue: Catalogue | undefined;
  traffic: Traffic;
  /** When the answer arrived, in milliseconds since 1970. */
  seen: number;
  /** The answers of the present, if the page shows the past. */
  present?: Entitlements | undefined;
}>;

export function Limits({ limits, features, catalogue, traffic, seen, present }: LimitsOf) {
  const { name } = useWords();
  return (
    <ul className={styles['limits']}>
      {resourcesOf(limits).map((resource) => (
        <li key={resource}>
          <h3>{name(resource)}</h3>
          <ResourceLimit {...{ resource, catalogue, present }} entitlements={{ limits, features }} />
        </li>
      ))}
      <TrafficRow traffic={traffic} seen={seen} />
    </ul>
  );
}

export type LimitedResource = keyof Entitlements['limits'];
const resourcesOf = (limits: Entitlements['limits']) => Object.keys(limits) as LimitedResource[];

type ResourceLimitOf = Readonly<{
  resource: LimitedResource;
  entitlements: Pick<Entitlements, 'limits' | 'features'>;
  catalogue: Catalogue | undefined;
  present?: Entitlements | undefined;
}>;

/** The limit of a resource. If the feature that the resource needs is off: why, and what would turn the feature on. */
export function ResourceLimit({ resource, entitlements, catalogue, present }: ResourceLimitOf) {
  const limit = entitlements.limits[resource];
  const { gate } = limit;
  if (!gate || gate.on) return <LimitRow {...{ resource, limit }} present={present?.limits[resource]} />;
  return <GatedRow feature={entitlements.features[gate.feature]} offers={catalogue?.features[gate.feature]} />;
}

type GatedRowOf = Readonly<{ feature: Feature; offers: readonly Offer[] | undefined }>;

/** A limit whose feature is off: why, and the offers that would turn the feature on. */
const GatedRow = memo(function GatedRow({ feature, offers }: GatedRowOf) {
  const words = useWords();
  const today = offeredToday(feature, offers, words);
  return (
    <>
      <p>{whyOff(feature, words)}</p>
      {today !== undefined && <p className={cardStyles['caption']}>{today}</p>}
    </>
  );
});

type LimitRowOf = Readonly<{ resource: string; limit: Limit; present?: Limit | undefined }>;

/** One limit with its text, bar and state. The person can also show the terms of its sum. */
const LimitRow = memo(function LimitRow({ resource, limit, present }: LimitRowOf) {
  const { text, name, number, compared } = useWords();
  const { used, limit: allowed, over } = limit;
  const amount = (value: number | null) => (value === null ? text('limits.no-limit') : number(value));
  const title = name(resource);
  const values = {
    used: compared(number(used), present && number(present.used)),
    limit: compared(amount(allowed), present && amount(present.limit)),
  };
  const words =
    allowed === null && (!present || present.limit === null)
      ? text('limits.unlimited', { used: values.used })
      : over > 0
        ? text('limits.over', { ...values, over: number(over) })
        : text('limits.used', values);
  return (
    <>
      <p>{words}</p>
      {allowed !== null && <Meter label={title} words={words} used={used} of={allowed} />}
      <Why limit={limit} resource={resource} />
    </>
  );
});

/** The traffic of a month. Charter shows the traffic, but never refuses a request because of it. */
const TrafficRow = memo(function TrafficRow({ traffic, seen }: Pick<LimitsOf, 'traffic' | 'seen'>) {
  const { month, views, allowance, because } = traffic;
  const { text, number, month: monthName } = useWords();
  const old = useIsOld(seen);
  if (month === null)
    return (
      <li>
        <h3>{text('traffic.title')}</h3>
        <p>{text('traffic.none')}</p>
      </li>
    );
  const title = text('traffic.title.month', { month: monthName(month) });
  const words =
    allowance === null
      ? text('traffic.unlimited', { views: number(views) })
      : text('traffic.used', { views: number(views), allowance: number(allowance) });
  return (
    <li>
      <h3>{title}</h3>
      <p>{words}</p>
      {allowance !== null && <Meter label={title} words={words} used={views} of={allowance} />}
      <TrafficWhy because={because} />
      {old && (
        <p className={cardStyles['caption']}>
          <Sentence of={text('traffic.as-of', { time: MOMENT })} at={new Date(seen).toISOString()} as="time" />
        </p>
      )}
    </li>
  );
});

/** Whether the shown answer is older than 15 minutes. */
function useIsOld(seen: number): boolean {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, seen + OLD_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [seen]);
  return now - seen >= OLD_MS;
}

type MeterOf = Readonly<{ label: string; words: string; used: number; of: number }>;

function Meter({ label, words, used, of }: MeterOf) {
  const { text, percent } = useWords();
  const part = of === 0 ? 1 : Math.min(1, used / of);
  const state = part >= 1 ? 'bad' : part * 100 >= WARN_PERCENT ? 'warn' : 'ok';
  return (
    <div className={styles['gauge']}>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={Math.min(used, of)}
        aria-valuetext={words}
        className={styles['meter']}
        data-state={state}
      >
        <svg width={`${Math.round(part * 100)}%`} height="8" aria-hidden="true">
          <rect width="100%" height="8" />
        </svg>
      </div>
      {state !== 'ok' && (
        <span className={tagStyles['tag']} data-state={state}>
          {state === 'bad' ? text('limits.at') : text('limits.near', { percent: percent(used, of) })}
        </span>
      )}
    </div>
  );
}
