import { useSyncExternalStore } from 'react';
import { useText } from '../../text';
import styles from './Offline.module.css';

/** A banner that says that there is no network and that the shown data can be old. */
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
