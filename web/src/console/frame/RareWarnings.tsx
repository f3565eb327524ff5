import type { OwnAccount } from '@charter/client';
import { useText } from '../../text';
import { typed } from '../organization/history/wording/typed-text';
import { WithWords } from '../organization/later-words';
import controlStyles from '../page-parts/Controls.module.css';
import styles from './DataWarnings.module.css';

type WarningsOf = Readonly<{
  /** Whether the read model cannot process an event of the organization. */
  isParked: boolean;
  /** Whether the event store was restored to an earlier state. */
  isRestored: boolean;
  /** Whether the page gets no new events, because the script for new events could not be loaded. */
  isStopped: boolean;
  /** The account of the browser's session; undefined if it is the account of the page. */
  otherAccount: OwnAccount | undefined;
}>;

/** The warnings that few people ever see. The browser loads their code and words only when the page shows one. */
export default function RareWarnings(of: WarningsOf) {
  return (
    <WithWords group="warnings">
      <Warnings {...of} />
    </WithWords>
  );
}

function Warnings({ isParked, isRestored, isStopped, otherAccount: other }: WarningsOf) {
  const text = useText();
  return (
    <>
      {isParked && <p className={styles['warning']}>{text('parked')}</p>}
      {isStopped && <Reload>{text('no-new-events')}</Reload>}
      {isRestored && <Reload>{text('live.store-restored')}</Reload>}
      {other && (
        <Reload>
          {text('other-account', { name: typed(other.name ?? other.username ?? other.email ?? other.id) })}
        </Reload>
      )}
    </>
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
