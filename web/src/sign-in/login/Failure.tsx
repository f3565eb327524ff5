import { useEffect, useState } from 'react';
import { useText, waitOf } from '../../text';
import styles from '../frame/Shell.module.css';
import type { LoginProblem as FailureState } from '../signInSlice';
import { useBrowserPorts } from '../browser-ports';

/**
 * Shows the specified sentence for every failure. Below this sentence, a hint explains a problem other than wrong
 * credentials (`decisions.md`, Signing in, 10). The elements for the sentence and for the hint always exist, so that
 * assistive software announces a new text in them.
 */
export function LoginFailure({
  errorText,
  reachedLimit,
  failure,
  room,
}: Readonly<{
  errorText: string | null;
  reachedLimit: boolean;
  failure: FailureState | null;
  /** The id of the longest sentence that the page may show. */
  room: string;
}>) {
  const { facts } = useBrowserPorts();
  const text = useText();
  return (
    <>
      <div role="alert" id="login-error" className={styles['error']} data-room={text(room)}>
        {errorText !== null && <p>{text(errorText)}</p>}
      </div>
      <div className={styles['hints']} data-room={text('login.unreachable', { product: facts.product })}>
        {reachedLimit && <p role="status">{text('login.error.limit')}</p>}
        {failure?.hint && <Hint key={failureKey(failure)} failure={failure} />}
      </div>
    </>
  );
}

const failureKey = ({ hint, until }: FailureState) => `${hint} ${until}`;

/** Assistive software announces the text once. The visible text counts down. Both texts then disappear. */
function Hint({ failure: { hint, until } }: Readonly<{ failure: FailureState }>) {
  const { facts } = useBrowserPorts();
  const text = useText();
  const [atFirst] = useState(() => secondsTo(until));
  const [left, setLeft] = useState(atFirst);
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsTo(until)), 1_000);
    return () => clearInterval(timer);
  }, [until]);

  if (hint === 'unavailable') return <p role="status">{text('login.unavailable', { product: facts.product })}</p>;
  if (hint === 'unreachable') return <p role="status">{text('login.unreachable', { product: facts.product })}</p>;
  if (until === undefined) return <p role="status">{text('login.too-many')}</p>;
  if (left === 0) return null;
  return (
    <>
      <p role="status" className="unseen">
        {text('login.too-many.wait', waitOf(atFirst))}
      </p>
      <p aria-hidden="true">{text('login.too-many.wait', waitOf(left))}</p>
    </>
  );
}

/** Timers stop while the computer sleeps, so each text comes from the clock. */
const secondsTo = (until = 0) => Math.max(0, Math.ceil((until - Date.now()) / 1_000));
