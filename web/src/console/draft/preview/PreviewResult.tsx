import type { FeatureTerms, LimitTerms, Preview, PreviewReason } from '@charter/client';
import type { ReactNode } from 'react';
import { reasonOf } from '../../overview/feature-reasons';
import { termOf } from '../../overview/limit-terms';
import { Steps } from '../../overview/Why';
import { WhyDetails } from '../../overview/WhyDetails';
import cardStyles from '../../page-parts/Card.module.css';
import styles from '../Draft.module.css';
import { changedValues } from './changed-values';
import type { useDraftWords } from '../words/useDraftWords';
import type { DatedPreview } from './useDatedPreview';

type Words = ReturnType<typeof useDraftWords>;
type ResultOf = Readonly<{
  preview: DatedPreview;
  words: Words;
  /** Whether a newer preview replaces this preview: the page shows or loads the newer preview. */
  isOld?: boolean;
}>;

/**
 * The effect of commands: first the lost features and entries, then the limits, the gained features, the page views,
 * all other values, and the events.
 */
export function PreviewResult({ preview, words, isOld = false }: ResultOf) {
  const { text, number, time, subject } = words;
  const { features, limits, traffic, events } = preview;
  const changed = Object.entries(limits);
  const isTrafficChanged = traffic.before.allowance !== traffic.after.allowance;
  const { removed, others } = changedValues(preview.state, words);
  const lost = features.lost.length + removed.length;
  return (
    <div className={styles['result']} data-old={isOld}>
      <p className={cardStyles['caption']}>
        {text('draft.revision', { revision: number(preview.revision), time: time(preview.answeredAt) })}
      </p>
      <div className={styles['parts']}>
        <Part title={text('draft.lost', { subject, count: lost })} isEmpty={lost === 0} words={words}>
          {removed.map(({ path, title }) => (
            <li key={path}>
              <span aria-hidden="true">– </span>
              {text('draft.removed', { entry: title })}
            </li>
          ))}
          {features.lost.map((feature) => (
            <FeatureLine key={feature} {...{ feature, words }} sign="–" terms={features.terms[feature]} />
          ))}
        </Part>
        <Part title={text('draft.limits', { count: changed.length })} isEmpty={changed.length === 0} words={words}>
          {changed.map(([resource, { before, after }]) => (
            <LimitLine key={resource} {...{ resource, before, after, words }} />
          ))}
        </Part>
        <Part
          title={text('draft.gained', { subject, count: features.gained.length })}
          isEmpty={features.gained.length === 0}
          words={words}
        >
          {features.gained.map((feature) => (
            <FeatureLine key={feature} {...{ feature, words }} sign="+" terms={features.terms[feature]} />
          ))}
        </Part>
        {isTrafficChanged && (
          <Part title={text('draft.traffic')} words={words}>
            <li>
              <TrafficLine {...traffic} words={words} />
            </li>
          </Part>
        )}
        {others.length > 0 && (
          <Part title={text('draft.others', { count: others.length })} words={words}>
            {others.map(({ path, title, before, after }) => (
              <li key={path}>
                <strong>
                  <bdi>{title}</bdi>
                </strong>{' '}
                {text('draft.before-after', { before, after })}
              </li>
            ))}
          </Part>
        )}
      </div>
      <details>
        <summary>{text('draft.events', { count: events.length })}</summary>
        <ol className={styles['events']}>
          {events.map((event, index) => (
            <li key={index}>
              {words.sentence(event)} <code>{event.type}</code>
              <pre tabIndex={0} aria-label={event.type}>
                {JSON.stringify(event.data, null, 2)}
              </pre>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

type PartOf = Readonly<{ title: string; words: Words; isEmpty?: boolean; children: ReactNode }>;

function Part({ title, words, isEmpty = false, children }: PartOf) {
  return (
    <div role="group" className={cardStyles['card']} aria-label={title}>
      <h3>{title}</h3>
      {isEmpty ? <p>{words.text('draft.nothing')}</p> : <ul className={styles['changes']}>{children}</ul>}
    </div>
  );
}

type FeatureOf = Readonly<{
  feature: string;
  sign: '+' | '–';
  terms: Readonly<{ before: FeatureTerms; after: FeatureTerms }> | undefined;
  words: Words;
}>;

function FeatureLine({ feature, sign, terms, words }: FeatureOf) {
  return (
    <li>
      <span aria-hidden="true">{sign} </span>
      {words.name(feature)}
      {terms && <BothWhy of={`features/${feature}`} {...terms} term={(one) => reasonOf(one, words)} words={words} />}
    </li>
  );
}

type LimitOf = Readonly<{ resource: string; before: LimitTerms; after: LimitTerms; words: Words }>;

/**
 * A limit before and after the change. If there are more entries than the new limit allows, all entries stay, but no
 * entry can be added.
 */
function LimitLine({ resource, before, after, words }: LimitOf) {
  const { text, number, name } = words;
  const amount = ({ limit }: LimitTerms) => (limit === null ? text('limits.no-limit') : number(limit));
  const [old, now] = [number(before.used), number(after.used)];
  const used = old === now ? now : text('draft.before-after', { before: old, after: now });
  return (
    <li>
      <strong>{name(resource)}</strong> {text('draft.before-after', { before: amount(before), after: amount(after) })}
      {after.over > 0 ? (
        <p className={styles['over']}>{text('draft.over', { used, over: number(after.over) })}</p>
      ) : (
        <p className={cardStyles['caption']}>{text('draft.used', { used })}</p>
      )}
      <BothWhy of={resource} {...{ before, after, words }} term={(one) => termOf(one, words)} />
    </li>
  );
}

type TrafficOf = Preview['traffic'] & Readonly<{ words: Words }>;

function TrafficLine({ before, after, words }: TrafficOf) {
  const { text, number, month } = words;
  const amount = ({ allowance }: Preview['traffic']['before']) =>
    allowance === null ? text('limits.no-limit') : number(allowance);
  return (
    <>
      {text('draft.before-after', { before: amount(before), after: amount(after) })}{' '}
      {after.month !== null && text('draft.views', { views: number(after.views), month: month(after.month) })}
      {isOverAllowance(after) && (
        <p className={styles['over']}>
          {text('draft.traffic-over', { over: number(after.views - (after.allowance ?? 0)) })}
        </p>
      )}
      <BothWhy of="traffic" {...{ before, after, words }} term={(one) => termOf(one, words)} />
    </>
  );
}

/** Whether the page views of the month exceed the allowance of the plan. */
export const isOverAllowance = ({ allowance, month, views }: Preview['traffic']['after']): boolean =>
  allowance !== null && month !== null && views > allowance;

type Reasons = Readonly<{ because: readonly PreviewReason[] }>;
type WhyOf = Readonly<{
  /** The limit or feature that the reasons explain, in the form of the address parameter `why` (`why-address.ts`). */
  of: string;
  before: Reasons;
  after: Reasons;
  term: (one: PreviewReason) => string;
  words: Words;
}>;

/**
 * The reasons before and after the change. The person can open them to see each event and each command of the draft.
 */
function BothWhy({ of, before, after, term, words: { text } }: WhyOf) {
  return (
    <WhyDetails of={of} summary={text('features.why')}>
      <h4>{text('draft.before')}</h4>
      <Steps because={before.because}>{term}</Steps>
      <h4>{text('draft.after')}</h4>
      <Steps because={after.because}>{term}</Steps>
    </WhyDetails>
  );
}
