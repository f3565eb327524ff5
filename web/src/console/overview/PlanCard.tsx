import type { OrganizationDocument } from '@charter/client';
import cardStyles from '../page-parts/Card.module.css';
import styles from './PlanCard.module.css';
import { useWords } from '../words';

type PlanCardOf = Readonly<{
  organization: OrganizationDocument;
  /** The document of the present, if the page shows the past. */
  present?: OrganizationDocument | undefined;
}>;

/** The plan of each line, the add-ons, and the service level. A page of the past also shows the present values. */
export function PlanCard({ organization, present }: PlanCardOf) {
  const { text, name, addOn: addOnName, planOfLine, day, number, compared } = useWords();
  const { plans, addOns, serviceLevel } = organization;
  const planName = (line: 'first' | 'second', held: OrganizationDocument['plans']['first'] | undefined) =>
    held ? planOfLine(line, held.plan) : text('moment.none');
  const lines = (['first', 'second'] as const).filter((line) => plans[line] ?? present?.plans[line]);
  const addOnOf = (document: OrganizationDocument | undefined, purchase: string) => {
    const held = document?.addOns.find((one) => one.purchase === purchase);
    return held
      ? text('plan.add-on', { addOn: addOnName(held.addOn), quantity: held.quantity, times: number(held.quantity) })
      : text('moment.none');
  };
  const purchases = [...new Set([...addOns, ...(present?.addOns ?? [])].map(({ purchase }) => purchase))];
  const level = (value: string) => (value === 'none' ? text('moment.none') : name(value));
  const isServed = serviceLevel !== 'none' || (present !== undefined && present.serviceLevel !== 'none');
  return (
    <>
      {lines.map((line) => {
        const held = plans[line];
        return (
          <div key={line} className={styles['plan']}>
            <h3>{compared(planName(line, held), present && planName(line, present.plans[line]))}</h3>
            {held && (
              <p className={cardStyles['caption']}>
                <time dateTime={held.effectiveAt} title={held.effectiveAt}>
                  {text('plan.since', { day: day(held.effectiveAt) })}
                </time>
              </p>
            )}
          </div>
        );
      })}
      {lines.length === 0 && <p>{text('plan.none')}</p>}
      {purchases.length > 0 && (
        <ul className={styles['added']}>
          {purchases.map((purchase) => (
            <li key={purchase}>{compared(addOnOf(organization, purchase), present && addOnOf(present, purchase))}</li>
          ))}
        </ul>
      )}
      {isServed && (
        <p>
          {text('plan.service-level', { level: compared(level(serviceLevel), present && level(present.serviceLevel)) })}
        </p>
      )}
    </>
  );
}
