import { lazy, Suspense, useContext, useSyncExternalStore } from 'react';
import { useText } from '../../text';
import { useMeQuery, useStandingQuery } from '../api';
import { LiveContext } from '../live/live-context';
import { useConsoleConfig } from '../page-config-context';
import { FailureBoundary } from './FailureBoundary';
import { isOnline, onNetwork } from './network';
import styles from './DataWarnings.module.css';

const RareWarnings = lazy(() => import('./RareWarnings'));

/**
 * A banner which says that the shown data may be old. The reasons are an offline browser, a restored store, an event
 * that the read model cannot process, or a script for new events that did not load. A second banner says that a person
 * has logged in with another account in another tab. The page requests the account of the browser's session when its
 * tab gets the focus.
 */
export function DataWarnings({ organization = '' }: Readonly<{ organization?: string | undefined }>) {
  const text = useText();
  const online = useSyncExternalStore(onNetwork, isOnline);
  const { data: standing } = useStandingQuery(organization, { skip: organization === '' });
  const isParked = standing?.parked === true;
  const { connection } = useContext(LiveContext);
  const isRestored = connection === 'restored';
  const isStopped = organization !== '' && connection === 'failed';
  const { account } = useConsoleConfig().facts;
  const { data: me } = useMeQuery(undefined, { refetchOnFocus: true });
  const otherAccount = me?.id === account ? undefined : me;
  return (
    <div role="status">
      {!online && <p className={styles['warning']}>{text('offline')}</p>}
      {(isParked || isRestored || isStopped || otherAccount) && (
        <FailureBoundary place={organization} name={text('warnings')}>
          <Suspense fallback={null}>
            <RareWarnings {...{ isParked, isRestored, isStopped, otherAccount }} />
          </Suspense>
        </FailureBoundary>
      )}
    </div>
  );
}
