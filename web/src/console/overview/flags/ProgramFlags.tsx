import { lazy, Suspense, useState } from 'react';
import cardStyles from '../../page-parts/Card.module.css';
import { useWords } from '../../words';
import type { FlagsOf } from './FlagTable';
import styles from './ProgramFlags.module.css';

const FlagTable = lazy(() => import('./FlagTable'));

/** The flags as programs see them. A person opens this part of the page; only then does the browser load the flags. */
export default function ProgramFlags(of: FlagsOf) {
  const { text } = useWords();
  const [wasOpened, setOpened] = useState(false);
  return (
    <section className={cardStyles['card']} aria-labelledby="flags">
      <details onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
        <summary>
          <h2 id="flags" className={styles['heading']}>
            {text('flags.title')}
          </h2>
        </summary>
        {wasOpened && (
          <Suspense fallback={null}>
            <FlagTable {...of} />
          </Suspense>
        )}
      </details>
    </section>
  );
}
