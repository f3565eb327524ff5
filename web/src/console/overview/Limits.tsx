import type { Catalogue, Entitlements, Feature, Limit, Offer, Traffic } from '@charter/client';
import { memo, useEffect, useState } from 'react';
import cardStyles from '../page-parts/Card.module.css';
import { MOMENT, Sentence } from '../page-parts/Moment';
import styles from './Limits.module.css';
import tagStyles from '../page-parts/Tag.module.css';
import { offeredToday, reasonOf, whyOff } from './feature-reasons';
import { Steps, TrafficWhy, ValuesOf, Why } from './Why';
import { WhyDetails } from './WhyDetails';
import { type ConsoleWords, useWords } from '../words';

const WARN_PERCENT = 80;
const OLD_MS = 15 * 60_000;

type LimitsOf = Readonly<{
  limits: Entitlements['limits'];
  features: Entitlements['features'];
  /** Undefined until the browser has loaded the catalogue. */
  catalogue: Catalogue | undefined;
  traffic: Traffic;
  /** When the service's answer arrived, in milliseconds since 1970. */
  seen: number;
  /** The answers of the other side of the comparison. */
  other?: Entitlements | undefined;
}>;

export function Limits({ limits, features, catalogue, traffic, seen, other }: LimitsOf) {
  const { name } = useWords();
  return (
    <ul className={styles['limits']}>
      {resourcesOf(limits).map((resource) => (
        <li key={resource}>
          <h3>{name(resource)}</h3>
          <ResourceLimit {...{ resource, catalogue, other }} entitlements={{ limits, features }} />
        </li>
      ))}
      <TrafficRow {...{ traffic, seen }} other={other?.traffic} />
    </ul>
  );
}

export type LimitedResource = keyof Entitlements['limits'];
const resourcesOf = (limits: Entitlements['limits']) => Object.keys(limits) as LimitedResource[];

type LimitsAndFeatures = Pick<Entitlements, 'limits' | 'features'>;
type ResourceLimitOf = Readonly<{
  resource: LimitedResource;
  entitlements: LimitsAndFeatures;
  catalogue: Catalogue | undefined;
  other?: Entitlements | undefined;
}>;

/**
 * The limit of a resource. If the feature that the resource needs is off, the text says why, and what would turn the
 * feature on.
 */
export function ResourceLimit({ resource, entitlements, catalogue, other }: ResourceLimitOf) {
  const words = useWords();
  const [limit, there] = [entitlements, other].map((one) => one?.limits[resource]) as [Limit, Limit | undefined];
  const [off, offThere] = [entitlements, other].map((one) => one && featureOff(one, resource));
  const why = offThere && whyOff(offThere, words);
  if (!off) return <LimitRow {...{ resource, limit, why }} other={there} />;
  const shownThere = why ?? (there && usedWords(there, words));
  return <GatedRow {...{ resource, shownThere }} feature={off} offers={catalogue?.features[limit.gate!.feature]} />;
}

/** The feature that the resource needs, if this feature is off. */
function featureOff({ limits, features }: LimitsAndFeatures, resource: LimitedResource): Feature | undefined {
  const { gate } = limits[resource];
  return gate?.on === false ? features[gate.feature] : undefined;
}

type GatedRowOf = Readonly<{
  resource: LimitedResource;
  feature: Feature;
  offers: readonly Offer[] | undefined;
  /** The limit at the other side of the comparison, in words. */
  shownThere: string | undefined;
}>;

/**
 * A limit whose feature is off: why the feature is off, with the events, and the offers that would turn the feature on.
 */
const GatedRow = memo(function GatedRow({ resource, feature, offers, shownThere }: GatedRowOf) {
  const words = useWords();
  const today = offeredToday(feature, offers, words);
  return (
    <>
      <WhyDetails of={resource} summary={words.compared(whyOff(feature, words), shownThere)}>
        <Steps because={feature.because}>{(one) => reasonOf(one, words)}</Steps>
        <ValuesOf path={`/limits/${resource}`} of={words.name(resource)} />
      </WhyDetails>
      {today !== undefined && <p className={cardStyles['caption']}>{today}</p>}
    </>
  );
});

/** The use of a resource and its limit in words. */
const usedWords = ({ used, limit }: Limit, { text, number }: ConsoleWords): string =>
  limit === null
    ? text('limits.unlimited', { used: number(used) })
    : text('limits.used', { used: number(used), limit: number(limit) });

type LimitRowOf = Readonly<{
  resource: LimitedResource;
  limit: Limit;
  /** The limit at the other side of the comparison. */
  other: Limit | undefined;
  /** Why the feature that the limit needs is off at the other side; undefined if the feature is on. */
  why: string | undefined;
}>;

/** One limit with its text, bar and state. The person can also open the explanation of how the limit is computed. */
const LimitRow = memo(function LimitRow({ resource, limit, other: otherLimit, why }: LimitRowOf) {
  const { text, name, number, compared } = useWords();
  const { used, limit: allowed, over } = limit;
  const other = why === undefined ? otherLimit : undefined; // the reason takes the place of the numbers
  const amount = (value: number | null) => (value === null ? text('limits.no-limit') : number(value));
  const title = name(resource);
  const values = {
    used: compared(number(used), other && number(other.used)),
    limit: compared(amount(allowed), other && amount(other.limit)),
  };
  const words =
    allowed === null && (!other || other.limit === null)
      ? text('limits.unlimited', { used: values.used })
      : over > 0
        ? text('limits.over', { ...values, over: number(over) })
        : text('limits.used', values);
  return (
    <>
      <p>{compared(words, why)}</p>
      {allowed !== null && <Meter label={title} words={words} used={used} of={allowed} />}
      <Why limit={limit} resource={resource} />
    </>
  );
});

/**
 * The traffic (page views) of a month. Charter shows the traffic, but never refuses a request because of the traffic.
 */
const TrafficRow = memo(function TrafficRow({ traffic, seen, other }: TrafficRowOf) {
  const { month, views, allowance, because } = traffic;
  const words = useWords();
  const { text, month: monthName, compared } = words;
  const old = useIsOld(seen);
  const viewed = trafficWords(traffic, words);
  const there = other && trafficWords(other, words);
  const otherMonth = other && other.month !== month ? other.month : null;
  const shown = compared(
    viewed,
    there !== undefined && otherMonth !== null
      ? text('traffic.of-month', { month: monthName(otherMonth), traffic: there })
      : there,
  );
  const title = month === null ? text('traffic.title') : text('traffic.title.month', { month: monthName(month) });
  return (
    <li>
      <h3>{title}</h3>
      <p>{shown}</p>
      {month !== null && allowance !== null && <Meter label={title} words={viewed} used={views} of={allowance} />}
      <TrafficWhy because={because} />
      {month !== null && old && (
        <p className={cardStyles['caption']}>
          <Sentence of={text('traffic.as-of', { time: MOMENT })} at={new Date(seen).toISOString()} as="time" />
        </p>
      )}
    </li>
  );
});

type TrafficRowOf = Pick<LimitsOf, 'traffic' | 'seen'> & Readonly<{ other: Traffic | undefined }>;

/** The page views of the month in words, with the allowance if there is one. */
function trafficWords({ month, views, allowance }: Traffic, { text, number }: ConsoleWords): string {
  if (month === null) return text('traffic.none');
  if (allowance === null) return text('traffic.unlimited', { views: number(views) });
  return text('traffic.used', { views: number(views), allowance: number(allowance) });
}

/** Whether the shown answer of the service is older than 15 minutes. */
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
  const state = used > of ? 'bad' : part * 100 >= WARN_PERCENT ? 'warn' : 'ok';
  const near = part < 1 ? text('limits.near', { percent: percent(used, of) }) : text('limits.at');
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
          {state === 'bad' ? text('limits.exceeded') : near}
        </span>
      )}
    </div>
  );
}
