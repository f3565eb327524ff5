import { useEffect, useState } from 'react';
import { useText } from '../../text';
import controlStyles from './Controls.module.css';
import styles from './TroubleBox.module.css';
import { CopyButton } from './CopyButton';
import type { CallFailure } from '../problem';

type Of = Readonly<{ name: string; trouble: CallFailure; retry: () => unknown; whole?: boolean }>;

/** Shows a failure: the content that is missing, what the person can do, and the request id for operators. */
export function TroubleBox({ name, trouble, retry, whole = false }: Of) {
  const text = useText();
  if (trouble.status === 429) return <TooMany key={trouble.request} trouble={trouble} retry={retry} />;
  return (
    <div role="alert" className={styles['trouble']}>
      <p>{whole ? text('trouble.page') : text('trouble.region', { name })}</p>
      <Retry retry={retry} />
      {trouble.request !== '' && (
        <p className={styles['request']}>
          {text('trouble.request')} <code>{trouble.request}</code>{' '}
          <CopyButton what={text('trouble.request')} value={trouble.request} />
        </p>
      )}
    </div>
  );
}

function Retry({ retry, disabled = false }: Readonly<{ retry: () => unknown; disabled?: boolean }>) {
  const text = useText();
  return (
    <button type="button" className={controlStyles['button']} disabled={disabled} onClick={() => void retry()}>
      {text('trouble.retry')}
    </button>
  );
}

/** Counts down the seconds until the person may try again. Assistive software announces the text only once. */
function TooMany({ trouble, retry }: Readonly<{ trouble: CallFailure; retry: () => unknown }>) {
  const text = useText();
  const [left, setLeft] = useState(trouble.retryAfter ?? 0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  const words = (seconds: number) => (seconds > 0 ? text('too-many.seconds', { seconds }) : text('too-many'));
  return (
    <div className={styles['trouble']}>
      <p role="alert" className="unseen">
        {words(trouble.retryAfter ?? 0)}
      </p>
      <p aria-hidden="true">{words(left)}</p>
      <Retry retry={retry} disabled={left > 0} />
    </div>
  );
}
