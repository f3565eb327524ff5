import type { Entitlements, Limit } from '@charter/client';
import { useEntitlementsQuery } from '../../api';
import { useWords } from '../../words';
import { PRESENT } from '../page-moment';
import styles from './TimeBar.module.css';

/**
 * Says what changes by a coming moment without a further event. Only the end of an override is known beforehand: the
 * hard limits then apply again.
 */
export default function ComingMoment({ id, valid }: Readonly<{ id: string; valid: string }>) {
  const { text, name, number, list } = useWords();
  const { currentData: present } = useEntitlementsQuery({ id, moment: PRESENT });
  const { currentData: coming } = useEntitlementsQuery({ id, moment: { valid } });
  if (!present || !coming) return null;
  const ends = isOverridden(present) && !isOverridden(coming);
  const exceeded = limitsIn(coming).flatMap(([resource, { over }]) =>
    over > 0 ? text('moment.coming.over', { resource: name(resource), over: number(over) }) : [],
  );
  return (
    <p className={styles['hint']}>
      {ends
        ? text('moment.coming.override-ended', { count: exceeded.length, exceeded: list(exceeded) })
        : text('moment.coming.nothing')}
    </p>
  );
}

const limitsIn = ({ limits }: Entitlements) => Object.entries<Limit>(limits);

const isOverridden = (entitlements: Entitlements): boolean =>
  limitsIn(entitlements).some(([, { overridden }]) => overridden);
