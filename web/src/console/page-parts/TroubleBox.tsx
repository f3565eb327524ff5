import { useEffect, useMemo, useRef } from 'react';
import { useText } from '../../text';
import styles from './TroubleBox.module.css';
import { CopyButton } from './CopyButton';
import { DisappearingButton } from './DisappearingButton';
import { type CallFailure, isPause } from '../problem';
import { Wait } from './Wait';

/** `name`: the name of the missing content; without a name, the message is about the whole page. */
type Of = Readonly<{ name?: string; trouble: CallFailure; retry: () => unknown }>;

/**
 * Shows a failure: the content that is missing, what the person can do, and the request id for operators. If the
 * service's answer says how long to wait, the page waits and then asks again.
 */
export function TroubleBox({ name, trouble, retry }: Of) {
  const text = useText();
  if (isPause(trouble)) return <AsksAgain trouble={trouble} retry={retry} />;
  return (
    <div role="alert" className={styles['trouble']}>
      <p>{text(trouble.status === 429 ? 'too-many' : name ? 'trouble.region' : 'trouble.page', { name })}</p>
      <DisappearingButton onClick={() => void retry()}>{text('trouble.retry')}</DisappearingButton>
      {trouble.request !== '' && (
        <p className={styles['request']}>
          {text('trouble.request')} <code>{trouble.request}</code>{' '}
          <CopyButton what={text('trouble.request')} value={trouble.request} />
        </p>
      )}
    </div>
  );
}

type AskingOf = Readonly<{ trouble: CallFailure; retry: () => unknown }>;

/** Asks the service again after the time in its answer, without a press of a button. */
function AsksAgain({ trouble, retry }: AskingOf) {
  const until = useMemo(() => Date.now() + (trouble.retryAfter ?? 0) * 1_000, [trouble]);
  const current = useRef(retry);
  current.current = retry;
  useEffect(() => {
    const timer = setTimeout(() => void current.current(), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  return (
    <div className={styles['trouble']}>
      <Wait key={until} until={until} />
    </div>
  );
}
