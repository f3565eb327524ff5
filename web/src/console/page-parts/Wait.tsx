import { useEffect, useState } from 'react';
import { useText, waitOf } from '../../text';
import controlStyles from './Controls.module.css';

const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - Date.now()) / 1_000));

/**
 * Counts down the seconds until the page asks the service again. Assistive software announces the text only once.
 * @param until the time in milliseconds since 1970 at which the page asks again
 */
export function Wait({ until }: Readonly<{ until: number }>) {
  const text = useText();
  const [first] = useState(() => secondsUntil(until));
  const [left, setLeft] = useState(first);
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(until)), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <>
      <p role="alert" className="unseen">
        {text('trouble.waits', waitOf(first))}
      </p>
      <p aria-hidden="true" className={controlStyles['bad']}>
        {text('trouble.waits', waitOf(left))}
      </p>
    </>
  );
}
