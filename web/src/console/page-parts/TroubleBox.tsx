import { useEffect, useState } from 'react';
import { useText } from '../../text';
import controlStyles from './Controls.module.css';
import styles from './TroubleBox.module.css';
import { CopyButton } from './CopyButton';
import type { CallFailure } from '../problem';

type Of = Readonly<{ name: string; trouble: CallFailure; retry: () => unknown; whole?: boolean }>;

/** Shows a failure: the content that is missing, what the person can do, and the request id for operators. */
export function TroubleBox(failure: Of) {
  return <Trouble key={failure.trouble.request} {...failure} />;
}

/**
 * If the service names a time, counts down the seconds until the person may try again. Assistive software announces the
 * text only once.
 */
function Trouble({ name, trouble: { status, retryAfter, request }, retry, whole = false }: Of) {
  const text = useText();
  const [left, setLeft] = useState(retryAfter ?? 0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  const missing = whole ? text('trouble.page') : text('trouble.region', { name });
  const words = (seconds: number) => {
    if (status === 429) return seconds > 0 ? text('too-many.seconds', { seconds }) : text('too-many');
    return seconds > 0 ? `${missing} ${text('trouble.seconds', { seconds })}` : missing;
  };
  const isCounted = retryAfter !== null;
  return (
    <div className={styles['trouble']}>
      <p role="alert" className={isCounted ? 'unseen' : undefined}>
        {words(retryAfter ?? 0)}
      </p>
      {isCounted && <p aria-hidden="true">{words(left)}</p>}
      <button type="button" className={controlStyles['button']} disabled={left > 0} onClick={() => void retry()}>
        {text('trouble.retry')}
      </button>
      {status !== 429 && request !== '' && (
        <p className={styles['request']}>
          {text('trouble.request')} <code>{request}</code> <CopyButton what={text('trouble.request')} value={request} />
        </p>
      )}
    </div>
  );
}
