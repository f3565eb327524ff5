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
/** The words of the marks if the page compares with another moment than the present. */
const wordsOfOther: typeof words = {
  removed: 'compare.removed.between',
  added: 'compare.added.between',
  changed: 'compare.changed.between',
};
/** The meanings of the marks if the page compares with a later moment, which is not the present. */
const meaningsOfLater: typeof meanings = {
  removed: 'compare.legend.removed.later',
  added: 'compare.legend.added',
  changed: 'compare.legend.changed.other',
};
/** The meanings of the marks if the page compares with an earlier moment. */
const meaningsOfEarlier: typeof meanings = {
  removed: 'compare.legend.removed.earlier',
  added: 'compare.legend.added.earlier',
  changed: 'compare.legend.changed.other',
};

type MarkedOf = Readonly<{
  mark: Mark | undefined;
  /** The event that caused the difference, with its actor. A person opens the mark to read it. */
  by?: ReactNode;
  children: ReactNode;
}>;

/** The name of an entry in a compared list, with the mark that says how the entry differs from the other side. */
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
  const { text, otherMoment } = useWords();
  return (
    <span className={styles['mark']} data-mark={mark}>
      <span aria-hidden="true">{signs[mark]} </span>
      {text((otherMoment === undefined ? words : wordsOfOther)[mark])}
    </span>
  );
}

/** Explains the marks in a list. */
export function Legend({ of }: Readonly<{ of: readonly Readonly<{ mark?: Mark; isHere: boolean }>[] }>) {
  const { text, otherMoment } = useWords();
  const marks = (['changed', 'removed', 'added'] as const).filter((mark) => of.some((one) => one.mark === mark));
  if (marks.length === 0) return null;
  const isEarlier = of.some(({ mark, isHere }) => mark === (isHere ? 'added' : 'removed'));
  const meaningOf = (mark: Mark) =>
    otherMoment === undefined
      ? text(meanings[mark])
      : text((isEarlier ? meaningsOfEarlier : meaningsOfLater)[mark], { moment: otherMoment });
  return (
    <ul className={styles['legend']} aria-label={text('compare.legend')}>
      {marks.map((mark) => (
        <li key={mark}>
          <span aria-hidden="true">{signs[mark]} </span>
          {meaningOf(mark)}
        </li>
      ))}
    </ul>
  );
}
