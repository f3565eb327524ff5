import { useContext, useSyncExternalStore } from 'react';
import { useText } from '../../text';
import { isOnline, onNetwork } from '../frame/network';
import { LiveContext } from './live-context';
import styles from './LiveSign.module.css';

/** The message id for each way in which the page gets new events. */
const words = {
  live: 'live.live',
  reconnecting: 'live.reconnecting',
  polling: 'live.polling',
  offline: 'live.offline',
  restored: 'live.restored',
  failed: 'live.restored',
} as const;

/** Says in words how the page gets new events. */
export default function LiveSign() {
  const text = useText();
  const { connection } = useContext(LiveContext);
  const state = useSyncExternalStore(onNetwork, isOnline) ? connection : 'offline';
  return (
    <p className={styles['sign']} data-state={state}>
      {state !== 'connecting' && (
        <>
          <span aria-hidden="true" className={styles['dot']} />
          <span className={styles['words']}>{text(words[state])}</span>
        </>
      )}
    </p>
  );
}
