import type { Cause } from '@charter/client';
import { useConsoleConfig } from '../../../page-config-context';
import { MOMENT, Sentence } from '../../../page-parts/Moment';
import tagStyles from '../../../page-parts/Tag.module.css';
import { MomentLink } from '../../lists/MomentLink';
import type { DifferenceLine } from '../differences/difference-lines';
import { eventsOfField, valuePathOf } from '../values/value-path';
import type { HistoryWords } from '../wording/useHistoryWords';
import styles from './ComparePage.module.css';

type CausesOf = Readonly<{ id: string; line: DifferenceLine; words: HistoryWords }>;

/**
 * The events that caused a difference in a comparison, with a link to all values of the field or to all events about
 * the field.
 */
export function CauseList({ id, line: { path, causes, causesInAll }, words }: CausesOf) {
  const { text, number } = words;
  const { facts } = useConsoleConfig();
  const valuePath = valuePathOf(path, facts.productKey);
  const eventTypes = eventsOfField(path);
  return (
    <ul className={styles['causes']}>
      {causes.map((cause) => (
        <li key={`${cause.revision} ${cause.endedAt ?? ''}`}>
          <MomentLink to={`/org/${id}/history/${cause.revision}`}>#{number(cause.revision)}</MomentLink>{' '}
          <Sentence of={causeInWords(cause, MOMENT, words)} at={cause.at} />{' '}
          {cause.backDated && (
            <span className={tagStyles['tag']} data-state="warn">
              <Sentence of={text('compare.back-dated', { moment: MOMENT })} at={cause.effectiveAt ?? cause.at} />
            </span>
          )}
          {cause.endedAt !== undefined && (
            <span className={tagStyles['tag']}>
              <Sentence of={text('compare.ended', { moment: MOMENT })} at={cause.endedAt} />
            </span>
          )}
        </li>
      ))}
      <li>
        {causesInAll > causes.length && (
          <>{text('compare.causes', { shown: number(causes.length), all: number(causesInAll) })} </>
        )}
        {valuePath !== undefined && (
          <MomentLink to={`/org/${id}/changes`} query={{ path: valuePath }}>
            {text('compare.all-values')}
          </MomentLink>
        )}
        {eventTypes.length > 0 && (
          <MomentLink to={`/org/${id}/history`} query={{ type: eventTypes.join(',') }}>
            {text('compare.all-events')}
          </MomentLink>
        )}
      </li>
    </ul>
  );
}

/** The event, its actor and its moment in words. The caller formats the moment. */
export function causeInWords({ type, actor }: Cause, moment: string, words: HistoryWords): string {
  const event = words.has(`event.${type}`) ? words.text(`event.${type}`) : type;
  if (!actor) return words.text('compare.cause.of-itself', { event, moment });
  return words.text('compare.cause', { event, actor: words.actor(actor), moment });
}
