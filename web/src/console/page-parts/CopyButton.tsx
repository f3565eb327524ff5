import { Check, Copy } from 'lucide-react';
import { useText } from '../../text';
import styles from './CopyButton.module.css';
import { useCopy } from './useCopy';

export function CopyButton({ what, value }: Readonly<{ what: string; value: string }>) {
  const text = useText();
  const { copied, copy } = useCopy(value);
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
