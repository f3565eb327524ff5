import type { ReactNode } from 'react';
import { useWords } from '../../words';
import type { Mark } from './compared-entries';
import styles from './Comparison.module.css';

const signs: Readonly<Record<Mark, string>> = { removed: '–', added: '+', changed: '~' };
const words: Readonly<Record<Mark, string>> = {
  removed: 'compare.removed',
  added: 'compare.added',
  changed: 'compare.changed',
};
const meanings: Readonly<Record<Mark, string>> = {
  removed: 'compare.legend.removed',
  added: 'compare.legend.added',
  changed: 'compare.legend.changed',
};

type MarkedOf = Readonly<{
  mark: Mark | undefined;
  /** The event that caused the difference, with its actor. A person opens the mark to read it. */
  by?: ReactNode;
  children: ReactNode;
}>;

/** The name of an entry in a list at a past moment, with a mark that says how the entry differs from the present. */
export function Marked({ mark, by, children }: MarkedOf) {
  if (!mark) return children;
  const Name = mark === 'removed' ? 'del' : mark === 'added' ? 'ins' : 'span';
  return (
    <>
      <Name className={styles['plain']}>{children}</Name>{' '}
      {by === undefined ? (
        <Sign mark={mark} />
      ) : (
        <details className={styles['by']} open={mark === 'removed'}>
          <summary>
            <Sign mark={mark} />
          </summary>
          {by}
        </details>
      )}
    </>
  );
}

function Sign({ mark }: Readonly<{ mark: Mark }>) {
  const { text } = useWords();
  return (
    <span className={styles['mark']} data-mark={mark}>
      <span aria-hidden="true">{signs[mark]} </span>
      {text(words[mark])}
    </span>
  );
}

/** Explains the marks in a list. */
export function Legend({ of }: Readonly<{ of: readonly Readonly<{ mark?: Mark }>[] }>) {
  const { text } = useWords();
  const marks = (['changed', 'removed', 'added'] as const).filter((mark) => of.some((one) => one.mark === mark));
  if (marks.length === 0) return null;
  return (
    <ul className={styles['legend']} aria-label={text('compare.legend')}>
      {marks.map((mark) => (
        <li key={mark}>
          <span aria-hidden="true">{signs[mark]} </span>
          {text(meanings[mark])}
        </li>
      ))}
    </ul>
  );
}
