import { useContext, useSyncExternalStore } from 'react';
import { useText } from '../../text';
import { useMeQuery, useStandingQuery } from '../api';
import { LiveContext } from '../live/live-context';
import { typed } from '../organization/history/wording/typed-text';
import { useConsoleConfig } from '../page-config-context';
import controlStyles from '../page-parts/Controls.module.css';
import { isOnline, onNetwork } from './network';
import styles from './DataWarnings.module.css';

/**
 * A banner which says that the shown data may be old, or that the browser is logged in with another account than the
 * page. Data are old if the browser is offline, after the store was restored, and if the read model cannot process an
 * event.
 */
export function DataWarnings({ organization = '' }: Readonly<{ organization?: string | undefined }>) {
  const text = useText();
  const online = useSyncExternalStore(onNetwork, isOnline);
  const { data: standing } = useStandingQuery(organization, { skip: organization === '' });
  const otherAccount = useOtherAccount();
  const isRestored = useContext(LiveContext).connection === 'restored';
  return (
    <div role="status">
      {!online && <p className={styles['warning']}>{text('offline')}</p>}
      {standing?.parked && <p className={styles['warning']}>{text('parked')}</p>}
      {isRestored && <Reload>{text('live.store-restored')}</Reload>}
      {otherAccount !== undefined && <Reload>{text('other-account', { name: typed(otherAccount) })}</Reload>}
    </div>
  );
}

/** A warning with a button that loads the page again. */
function Reload({ children }: Readonly<{ children: string }>) {
  const text = useText();
  return (
    <p className={styles['warning']}>
      <span>{children}</span>{' '}
      <button type="button" className={controlStyles['button']} onClick={() => window.location.reload()}>
        {text('live.reload')}
      </button>
    </p>
  );
}

/**
 * The name of the account of the browser's session, if it is not the account of the page: a person has logged in with
 * another account in another tab. The page asks the service when its tab gets the focus.
 */
function useOtherAccount(): string | undefined {
  const { account } = useConsoleConfig().facts;
  const { data: me } = useMeQuery(undefined, { refetchOnFocus: true });
  return me === undefined || me.id === account ? undefined : (me.name ?? me.username ?? me.email ?? me.id);
}
