import { useState } from 'react';
import { TYPED_MAX } from '../history/wording/typed-text';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';

/** A text that a person typed. The page shows the beginning of a long text, and a button that shows the rest. */
export function TypedText({ children: typed }: Readonly<{ children: string }>) {
  const { text } = useWords();
  const [isWhole, setWhole] = useState(false);
  if (isWhole || typed.length <= TYPED_MAX) return <bdi>{typed}</bdi>;
  return (
    <>
      <bdi>{typed.slice(0, TYPED_MAX)}…</bdi>{' '}
      <button type="button" className={controlStyles['button']} onClick={() => setWhole(true)}>
        {text('typed.more')}
      </button>
    </>
  );
}
