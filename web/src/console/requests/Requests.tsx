import { useEffect, useRef, useSyncExternalStore } from 'react';
import controlStyles from '../page-parts/Controls.module.css';
import { useCopy } from '../page-parts/useCopy';
import { useWords } from '../words';
import { charterLine, curlLine } from './request-lines';
import { type LoggedRequest, requestLog } from './request-log';
import styles from './Requests.module.css';

/**
 * The drawer with the requests that this browser tab has sent. A person can copy a curl command for each request, and a
 * `charter` command for some requests.
 */
export default function Requests({ onClose }: Readonly<{ onClose: () => void }>) {
  const { text } = useWords();
  const requests = useSyncExternalStore(requestLog.listen, requestLog.all);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside
      className={styles['drawer']}
      aria-labelledby="requests"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault(); // the open time bar behind the drawer stays open
        onClose();
      }}
    >
      <div className={styles['top']}>
        <h2 id="requests" ref={heading} tabIndex={-1}>
          {text('requests.title')}
        </h2>
        <button type="button" className={controlStyles['button']} onClick={onClose}>
          {text('close')}
        </button>
      </div>
      <p>{text('requests.about')}</p>
      <ul>
        {requests.map((one) => (
          <Row key={one.number} request={one} />
        ))}
      </ul>
    </aside>
  );
}

function Row({ request }: Readonly<{ request: LoggedRequest }>) {
  const { text, number, list } = useWords();
  const { method, address, fields, status, milliseconds } = request;
  const charter = charterLine(request);
  return (
    <li>
      <p className={styles['line']}>
        <code>{method}</code> <code className={styles['address']}>{address}</code>
      </p>
      <p className={styles['facts']}>
        <span data-failed={status === 0 || status >= 400}>
          {status === 0 ? text('requests.no-answer') : String(status)}
        </span>
        <span>{text('requests.milliseconds', { milliseconds: number(milliseconds) })}</span>
        {request.request !== '' && <code>{request.request}</code>}
      </p>
      {fields.length > 0 && <p className={styles['facts']}>{text('requests.fields', { fields: list(fields) })}</p>}
      <p className={styles['facts']}>
        <CopyText label={text('requests.copy', { what: 'curl' })} value={curlLine(request, window.location.origin)} />
        {charter !== undefined && <CopyText label={text('requests.copy', { what: 'charter' })} value={charter} />}
        <CopyText label={text('requests.copy-address')} value={window.location.origin + address} />
      </p>
    </li>
  );
}

function CopyText({ label, value }: Readonly<{ label: string; value: string }>) {
  const { text } = useWords();
  const { copied, copy } = useCopy(value);
  return (
    <>
      <button type="button" className={controlStyles['button']} title={value} onClick={copy}>
        {label}
      </button>
      <span role="status" className="unseen">
        {copied && text('copied')}
      </span>
    </>
  );
}
