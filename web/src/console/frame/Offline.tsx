import { useSyncExternalStore } from 'react';
import { useText } from '../../text';
import styles from './Offline.module.css';

/** A banner which says that the browser is offline and the shown data may be old. */
export function Offline() {
  const text = useText();
  const online = useSyncExternalStore(listen, () => navigator.onLine);
  return <div role="status">{!online && <p className={styles['offline']}>{text('offline')}</p>}</div>;
}

function listen(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}
