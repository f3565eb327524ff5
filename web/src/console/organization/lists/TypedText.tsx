import { useState } from 'react';
import { beginningOf } from '../history/wording/typed-text';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';

/** A text that a person typed. The page shows the beginning of a long text, and a button that shows the rest. */
export function TypedText({ children: typed }: Readonly<{ children: string }>) {
  const { text } = useWords();
  const [isWhole, setWhole] = useState(false);
  const beginning = isWhole ? undefined : beginningOf(typed);
  if (beginning === undefined) return <bdi>{typed}</bdi>;
  return (
    <>
      <bdi>{beginning}</bdi>{' '}
      <button type="button" className={controlStyles['button']} onClick={() => setWhole(true)}>
        {text('typed.more')}
      </button>
    </>
  );
}
