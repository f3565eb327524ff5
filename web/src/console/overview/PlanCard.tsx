import type { OrganizationDocument } from '@charter/client';
import cardStyles from '../page-parts/Card.module.css';
import styles from './PlanCard.module.css';
import { useWords } from '../words';

/** The plan of each line, the add-ons, and the service level. */
export function PlanCard({ organization }: Readonly<{ organization: OrganizationDocument }>) {
  const { text, name, addOn: addOnName, planOfLine, day, number } = useWords();
  const { plans, addOns, serviceLevel } = organization;
  const held = (['first', 'second'] as const).flatMap((line) => {
    const plan = plans[line];
    return plan ? [{ line, ...plan }] : [];
  });
  return (
    <>
      {held.map(({ line, plan, effectiveAt }) => (
        <div key={line} className={styles['plan']}>
          <h3>{planOfLine(line, plan)}</h3>
          <p className={cardStyles['caption']}>
            <time dateTime={effectiveAt} title={effectiveAt}>
              {text('plan.since', { day: day(effectiveAt) })}
            </time>
          </p>
        </div>
      ))}
      {held.length === 0 && <p>{text('plan.none')}</p>}
      {addOns.length > 0 && (
        <ul className={styles['added']}>
          {addOns.map(({ purchase, addOn, quantity }) => (
            <li key={purchase}>
              {text('plan.add-on', { addOn: addOnName(addOn), quantity, times: number(quantity) })}
            </li>
          ))}
        </ul>
      )}
      {serviceLevel !== 'none' && <p>{text('plan.service-level', { level: name(serviceLevel) })}</p>}
    </>
  );
}
