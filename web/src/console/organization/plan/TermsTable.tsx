import { useWords } from '../../words';
import compareStyles from '../comparison/Comparison.module.css';
import styles from '../lists/List.module.css';
import { featuresOf, hardLimitIn, limitIn, resourcesIn, trafficIn } from './plan-terms';
import type { PlanTerms } from './useSoldTerms';

type TermsOf = Readonly<{
  /** Undefined if the sale is not known. */
  sold: PlanTerms | undefined;
  /** Undefined if today's catalogue has no such plan, or while the catalogue is loading. */
  today: PlanTerms | undefined;
  /** The terms of all plans for sale. These terms name the resources that a plan can limit. */
  offered: readonly PlanTerms[];
}>;

/** The terms of a plan as sold, beside the terms in today's catalogue. Terms that differ are marked. */
export function TermsTable({ sold, today, offered }: TermsOf) {
  const words = useWords();
  const { text, name } = words;
  const rows = termRows({ sold, today, offered }, words);
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{text('terms.term')}</th>
          {sold && <th scope="col">{text('terms.sold')}</th>}
          {today && <th scope="col">{text('terms.today')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, before, after }) => {
          const differs = before !== undefined && after !== undefined && before !== after;
          return (
            <tr key={key}>
              <th scope="row">{title ?? name(key)}</th>
              {sold && (
                <td>
                  <span className={styles['label']}>{text('terms.sold')}: </span>
                  {before}
                </td>
              )}
              {today && (
                <td>
                  <span className={styles['label']}>{text('terms.today')}: </span>
                  {after}{' '}
                  {differs && (
                    <span className={compareStyles['mark']} data-mark="changed">
                      <span aria-hidden="true">~ </span>
                      {text('terms.differs')}
                    </span>
                  )}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type TermRow = Readonly<{ key: string; title?: string; before: string | undefined; after: string | undefined }>;

function termRows(
  { sold, today, offered }: TermsOf,
  { text, name, number }: ReturnType<typeof useWords>,
): readonly TermRow[] {
  const amount = (value: number | null, none: string) => (value === null ? text(none) : number(value));
  const both = (read: (terms: PlanTerms) => string) => ({
    before: sold && read(sold),
    after: today && read(today),
  });
  const known = [sold, today].filter((terms) => terms !== undefined);
  const named = resourcesIn([...offered, ...known]);
  return [
    ...named.map((resource) => ({
      key: resource,
      ...both((terms) => amount(limitIn(terms, resource), 'limits.no-limit')),
    })),
    ...named
      .filter((resource) => known.some((terms) => hardLimitIn(terms, resource) !== null))
      .map((resource) => ({
        key: `hard.${resource}`,
        title: text('terms.hard', { resource: name(resource) }),
        ...both((terms) => amount(hardLimitIn(terms, resource), 'moment.none')),
      })),
    {
      key: 'traffic',
      title: text('terms.traffic'),
      ...both((terms) => amount(trafficIn(terms), 'limits.no-limit')),
    },
    ...featuresOf(sold, today).map((feature) => ({
      key: feature,
      ...both(({ features }) => text((features as readonly string[]).includes(feature) ? 'terms.yes' : 'terms.no')),
    })),
  ];
}
