import type { ReactNode } from 'react';
import cardStyles from '../../../page-parts/Card.module.css';
import type { HistoryWords } from '../wording/useHistoryWords';
import { type DifferenceLine, differenceGroups } from './difference-lines';
import styles from './DifferenceGroups.module.css';

type GroupsOf = Readonly<{
  lines: readonly DifferenceLine[];
  words: HistoryWords;
  /** The content below a line, for instance its causes. */
  below?: (line: DifferenceLine) => ReactNode;
}>;

/** The lines of a difference in groups. Each line shows a value before and after. */
export function DifferenceGroups({ lines, words, below }: GroupsOf) {
  const { text } = words;
  return differenceGroups
    .filter((group) => lines.some((line) => line.group === group))
    .map((group) => (
      <section key={group} className={cardStyles['card']} aria-labelledby={`group-${group}`}>
        <h2 id={`group-${group}`}>{text(`group.${group}`)}</h2>
        <ul className={styles['lines']}>
          {lines
            .filter((line) => line.group === group)
            .map((line) => (
              <li key={`${line.path} ${line.title}`} data-change={changeOf(line)}>
                <p className={styles['line']}>
                  <bdi>{line.title}</bdi>
                  <span>
                    {line.before !== undefined && (
                      <del>
                        <span className="unseen">{text('change.before')} </span>
                        {line.before}
                      </del>
                    )}{' '}
                    {line.after !== undefined && (
                      <ins>
                        <span className="unseen">{text('change.after')} </span>
                        {line.after}
                      </ins>
                    )}
                  </span>
                </p>
                {below?.(line)}
              </li>
            ))}
        </ul>
      </section>
    ));
}

const changeOf = ({ before, after }: DifferenceLine) =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
