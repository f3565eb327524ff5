import type { Entitlements, OrganizationDocument } from '@charter/client';
import { TRY } from '../organization/plan/try/TryLink';
import { MomentLink } from '../organization/lists/MomentLink';
import { noPlan } from './no-plan';
import styles from './PlanCard.module.css';
import { SinceWhy } from './Why';
import { useWords } from '../words';

type PlanCardOf = Readonly<{
  id: string;
  organization: OrganizationDocument;
  /** The organization's document at the other side of the comparison. */
  other?: OrganizationDocument | undefined;
  /** Undefined until the browser has loaded the entitlements. */
  entitlements: Entitlements | undefined;
}>;

/**
 * The plan of each product line, the add-ons, the service level, and a link to the form for trying other plans. A page
 * of the past also shows the values of the other side of the comparison.
 */
export function PlanCard({ id, organization, other, entitlements }: PlanCardOf) {
  const { text, name, addOn: addOnName, planOfLine, number, compared } = useWords();
  const { plans, addOns, serviceLevel, since } = organization;
  const planName = (line: 'first' | 'second', held: OrganizationDocument['plans']['first'] | undefined) =>
    held ? planOfLine(line, held.plan) : text('moment.none');
  const lines = (['first', 'second'] as const).filter((line) => plans[line] ?? other?.plans[line]);
  const addOnOf = (document: OrganizationDocument | undefined, purchase: string) => {
    const held = document?.addOns.find((one) => one.purchase === purchase);
    return held
      ? text('plan.add-on', { addOn: addOnName(held.addOn), quantity: held.quantity, times: number(held.quantity) })
      : text('moment.none');
  };
  const purchases = [...new Set([...addOns, ...(other?.addOns ?? [])].map(({ purchase }) => purchase))];
  const level = (value: string) => (value === 'none' ? text('moment.none') : name(value));
  const isServed = serviceLevel !== 'none' || (other !== undefined && other.serviceLevel !== 'none');
  return (
    <>
      {lines.map((line) => {
        const held = plans[line];
        const sold = since.plans[line];
        return (
          <div key={line} className={styles['plan']}>
            <h3>{compared(planName(line, held), other && planName(line, other.plans[line]))}</h3>
            {held && sold && (
              <SinceWhy since={sold} effectiveAt={held.effectiveAt} path={`/plans/${line}`} of={planName(line, held)} />
            )}
          </div>
        );
      })}
      {lines.length === 0 && <p>{text(noPlan(entitlements))}</p>}
      {purchases.length > 0 && (
        <ul className={styles['added']}>
          {purchases.map((purchase) => {
            const held = addOns.find((one) => one.purchase === purchase);
            return (
              <li key={purchase}>
                {compared(addOnOf(organization, purchase), other && addOnOf(other, purchase))}
                {held && (
                  <SinceWhy
                    since={held.since}
                    effectiveAt={held.effectiveAt}
                    path={`/addOns/${purchase}`}
                    of={addOnName(held.addOn)}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      {isServed && (
        <div>
          <p>
            {text('plan.service-level', {
              level: compared(level(serviceLevel), other && level(other.serviceLevel)),
            })}
          </p>
          <SinceWhy
            since={since.serviceLevel}
            effectiveAt={since.serviceLevel.at}
            path="/serviceLevel"
            of={level(serviceLevel)}
          />
        </div>
      )}
      <p className={styles['try']}>
        <MomentLink to={`/org/${id}/plan`} part={TRY}>
          {text(lines.length === 0 ? 'plan.try' : 'plan.try-others')}
        </MomentLink>
      </p>
    </>
  );
}
