import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../text';
import styles from './CopyButton.module.css';

const SAID_MS = 2_000;

export function CopyButton({ what, value }: Readonly<{ what: string; value: string }>) {
  const text = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => undefined, // if the browser refuses to copy, the person can still select the text
    );
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button type="button" className={styles['copy']} aria-label={text('copy', { what })} onClick={copy}>
        <Icon size={16} aria-hidden="true" />
      </button>
      <span role="status" className="unseen">
        {copied && text('copied')}
      </span>
    </>
  );
}
