import { Check, Copy } from 'lucide-react';
import { useText } from '../../text';
import styles from './CopyButton.module.css';
import { useCopy } from './useCopy';

/** The button's name is `label`, or "Copy" with the name of the copied thing in `what`. */
type Props = Readonly<{ value: string } & ({ what: string } | { label: string })>;

export function CopyButton({ value, ...named }: Props) {
  const text = useText();
  const { copied, copy } = useCopy(value);
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        className={styles['copy']}
        aria-label={'label' in named ? named.label : text('copy', named)}
        onClick={copy}
      >
        <Icon size={16} />
      </button>
      <span role="status" className="unseen">
        {copied && text('copied')}
      </span>
    </>
  );
}
