import { useCallback, useState } from 'react';
import controlStyles from '../page-parts/Controls.module.css';
import { useCopy } from '../page-parts/useCopy';
import { useText } from '../../text';
import styles from './Draft.module.css';

type CopyOf = Readonly<{ label: string; link: () => Promise<string> }>;

/** A button that copies a link. If the browser refuses to copy, the page shows the link as text. */
export function CopyLink({ label, link }: CopyOf) {
  const text = useText();
  const [made, setMade] = useState('');
  const value = useCallback(async () => {
    const address = await link();
    setMade(address);
    return address;
  }, [link]);
  const { copied, failed, copy } = useCopy(value);
  const [refused, setRefused] = useState(false);
  if (failed && !refused) setRefused(true);
  return (
    <>
      <button type="button" className={controlStyles['button']} onClick={copy}>
        {label}
      </button>{' '}
      <span role="status">
        {copied && text('copied')}
        {refused && made !== '' && (
          <>
            {text('draft.not-copied')} <code className={styles['link']}>{made}</code>
          </>
        )}
      </span>
    </>
  );
}
