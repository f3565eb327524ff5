import { useContext, useSyncExternalStore } from 'react';
import { useText } from '../../text';
import { useStandingQuery } from '../api';
import { LiveContext } from '../live/live-context';
import controlStyles from '../page-parts/Controls.module.css';
import { isOnline, onNetwork } from './network';
import styles from './DataWarnings.module.css';

/**
 * A banner which says that the shown data may be old. The reasons are an offline browser, a restored store, or an event
 * that the read model cannot process.
 */
export function DataWarnings({ organization = '' }: Readonly<{ organization?: string | undefined }>) {
  const text = useText();
  const online = useSyncExternalStore(onNetwork, isOnline);
  const { data: standing } = useStandingQuery(organization, { skip: organization === '' });
  const isRestored = useContext(LiveContext).connection === 'restored';
  return (
    <div role="status">
      {!online && <p className={styles['warning']}>{text('offline')}</p>}
      {standing?.parked && <p className={styles['warning']}>{text('parked')}</p>}
      {isRestored && (
        <p className={styles['warning']}>
          <span>{text('live.store-restored')}</span>{' '}
          <button type="button" className={controlStyles['button']} onClick={() => window.location.reload()}>
            {text('live.reload')}
          </button>
        </p>
      )}
    </div>
  );
}
