import { useContext, useSyncExternalStore } from 'react';
import { useText } from '../../text';
import { LiveContext } from '../live/live-context';
import controlStyles from '../page-parts/Controls.module.css';
import { isOnline, onNetwork } from './network';
import styles from './Offline.module.css';

/** A banner which says that the shown data may be old: the browser is offline, or the store was restored. */
export function Offline() {
  const text = useText();
  const online = useSyncExternalStore(onNetwork, isOnline);
  const isRestored = useContext(LiveContext).connection === 'restored';
  return (
    <div role="status">
      {!online && <p className={styles['offline']}>{text('offline')}</p>}
      {isRestored && (
        <p className={styles['offline']}>
          <span>{text('live.store-restored')}</span>{' '}
          <button type="button" className={controlStyles['button']} onClick={() => window.location.reload()}>
            {text('live.reload')}
          </button>
        </p>
      )}
    </div>
  );
}
