import { useEffect, useState } from 'react';
import { useText, waitOf } from '../../text';

const left = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1_000));

/**
 * Says that a person must wait, and counts down the seconds. Assistive software announces the text only once.
 * @param seconds the seconds in `Retry-After`; null if the answer has no such header
 */
export function TooMany({ seconds }: Readonly<{ seconds: number | null }>) {
  const text = useText();
  const [until] = useState(() => Date.now() + (seconds ?? 0) * 1_000);
  const [now, setNow] = useState(() => left(until));
  useEffect(() => {
    const timer = setInterval(() => setNow(left(until)), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  if (seconds === null) return text('too-many');
  return (
    <>
      <span className="unseen">{text('too-many.wait', waitOf(seconds))}</span>
      <span aria-hidden="true">{now > 0 ? text('too-many.wait', waitOf(now)) : text('too-many.over')}</span>
    </>
  );
}
