import { DisappearingButton } from '../page-parts/DisappearingButton';
import { useText } from '../../text';
import styles from './Drafting.module.css';
import { useDrafting } from './drafting-context';

/** The button that starts a draft. */
export function StartDraft() {
  const text = useText();
  const { mayStart, start } = useDrafting();
  if (!mayStart) return null;
  return (
    <p className={styles['start']}>
      <DisappearingButton aria-keyshortcuts="e" onClick={start}>
        {text('drafting.start')}
      </DisappearingButton>
    </p>
  );
}
