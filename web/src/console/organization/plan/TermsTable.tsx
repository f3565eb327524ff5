import { useWords } from '../../words';
import compareStyles from '../comparison/Comparison.module.css';
import styles from '../lists/List.module.css';
import { type ComparedTerms, isOtherTerm, termRows } from './plan-terms';

/** The terms of a plan as sold, beside the terms in today's catalogue. Terms that differ are marked. */
export function TermsTable({ sold, today, offered }: ComparedTerms) {
  const words = useWords();
  const { text } = words;
  const rows = termRows({ sold, today, offered }, words);
  return (
    <table className={`${styles['table']} ${styles['narrow']}`}>
      <thead>
        <tr>
          <th scope="col">{text('terms.term')}</th>
          {sold && <th scope="col">{text('terms.sold')}</th>}
          {today && <th scope="col">{text('terms.today')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { key, title, before, after } = row;
          return (
            <tr key={key}>
              <th scope="row">{title}</th>
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
                  {isOtherTerm(row) && (
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
