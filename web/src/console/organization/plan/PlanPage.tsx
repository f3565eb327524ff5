import type { Catalogue, EventPage, OrganizationDocument, Since } from '@charter/client';
import { useCatalogueQuery, useEventQuery, useStandingQuery } from '../../api';
import { lazy, type ReactNode, Suspense } from 'react';
import { TRY, TryLink } from './try/TryLink';
import { useRights } from '../../commands/useRights';
import { noPlan } from '../../overview/no-plan';
import cardStyles from '../../page-parts/Card.module.css';
import { DisappearingButton } from '../../page-parts/DisappearingButton';
import type { FirstLoad } from '../../page-parts/answer-of';
import { MOMENT, Sentence } from '../../page-parts/Moment';
import { Region, Waits } from '../../page-parts/Region';
import tagStyles from '../../page-parts/Tag.module.css';
import { useWords } from '../../words';
import { comparedEntries } from '../comparison/compared-entries';
import { Legend, Marked } from '../comparison/Comparison';
import { sidesOf, useChangedBy } from '../comparison/useChangedBy';
import { EventDay } from '../lists/EventDay';
import { WithWords } from '../later-words';
import styles from '../lists/List.module.css';
import { ValuesLink } from '../lists/ValuesLink';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';
import { isOtherTerm, limitIn, resourcesIn, termRows, trafficIn } from './plan-terms';
import { TermsTable } from './TermsTable';
import { TryForm } from './try/TryForm';
import { type PlanTerms, productLines, type SoldTerms, useSoldTerms } from './useSoldTerms';

const OperatorChanges = lazy(() => import('./operators/OperatorChanges'));

type PlanOf = OrganizationAnswers & Readonly<{ document: OrganizationDocument }>;

/** The plans, the add-ons and the service level of an organization, with the terms as sold. */
export default function PlanPage() {
  const { text } = useWords();
  const { data } = useCatalogueQuery(undefined);
  return (
    <OrganizationFrame title={text('plan.page')} jump={data && [TRY, text('try.title')]}>
      {(answers) => (
        <>
          <Region<OrganizationDocument> name={text('plan.page')} query={answers.organization} rows={8}>
            {(document) => {
              const plan = { ...answers, document };
              return (
                <>
                  <Lines {...plan} />
                  <AddOns {...plan} />
                  <ServiceLevel {...plan} />
                  <Try {...plan} />
                  <ByOperators {...plan} />
                </>
              );
            }}
          </Region>
          <TodaysCatalogue document={answers.organization.data} />
        </>
      )}
    </OrganizationFrame>
  );
}

/** The form that previews a plan or an add-on; it appears as soon as the browser has loaded the catalogue. */
function Try({ id, document, past }: PlanOf) {
  const query = useCatalogueQuery(undefined);
  const { data: catalogue } = query;
  if (!catalogue) return <Waits {...query} />;
  return <TryForm {...{ id, document, catalogue }} isPast={past} />;
}

/** The forms for changes that only operators make; they appear only while the page shows the present. */
function ByOperators({ id, document, entitlements }: PlanOf) {
  const { may } = useRights(id);
  const { data: catalogue } = useCatalogueQuery(undefined);
  if (!may('ReportTraffic')) return null;
  return (
    <Suspense fallback={<Waits />}>
      <WithWords group={['operators', 'commands']}>
        <OperatorChanges {...{ id, document, catalogue }} entitlements={entitlements.data} />
      </WithWords>
    </Suspense>
  );
}

/** The plan of each product line. An organization may hold one plan in each line. */
function Lines({ id, document, entitlements, other, past }: PlanOf) {
  const words = useWords();
  const { text, planOfLine, compared } = words;
  const query = useCatalogueQuery(undefined);
  const { data: catalogue } = query;
  const { data: standing } = useStandingQuery(id);
  const sold = useSoldTerms(id, document);
  const there = other?.document?.plans;
  const nameOf = (line: (typeof productLines)[number], held: Readonly<{ plan: string }> | null | undefined) =>
    held ? planOfLine(line, held.plan) : text('moment.none');
  const lines = productLines.filter((line) => document.plans[line] ?? there?.[line]);
  if (lines.length === 0)
    return (
      <section className={cardStyles['card']} aria-labelledby="plans">
        <h2 id="plans">{text('plan.title')}</h2>
        <p>{text(noPlan(entitlements.data))}</p>
      </section>
    );
  const offered = catalogue?.plans.map(({ terms }) => terms) ?? [];
  const differs = (terms: PlanTerms | undefined, today: PlanTerms | undefined) =>
    termRows({ sold: terms, today, offered }, words).some(isOtherTerm);
  return lines.map((line) => {
    const held = document.plans[line];
    const today = catalogue?.plans.find((offer) => offer.line === line && offer.plan === held?.plan)?.terms;
    return (
      <section key={line} className={cardStyles['card']} aria-labelledby={line}>
        <h2 id={line}>{compared(nameOf(line, held), there && nameOf(line, there[line]))}</h2>
        <Waits {...query} />
        <Waits {...sold[line]} />
        {held && (
          <>
            <p className={styles['note']}>
              <Sentence of={text('plan.since', { day: MOMENT })} at={held.effectiveAt} as="day" />{' '}
              <ValuesLink path={`/plans/${line}`} of={nameOf(line, held)} />
            </p>
            <TermsNote
              retry={sold[line].retry}
              since={document.since.plans[line]}
              mayRead={standing?.reads.includes('history')}
            />
            {catalogue && !today && <p className={styles['note']}>{text('terms.not-sold')}</p>}
            <TermsTable sold={sold[line].terms} today={today} offered={offered} />
            {!past && differs(sold[line].terms, today) && (
              <p>
                <TryLink id={id} wish={`${line}/${held.plan}`}>
                  {text('terms.try-today', { plan: nameOf(line, held) })}
                </TryLink>
              </p>
            )}
          </>
        )}
      </section>
    );
  });
}

type TermsNoteOf = Pick<SoldTerms, 'retry'> & Readonly<{ since: Since | null; mayRead: boolean | undefined }>;

/** A note that says which event contains the terms as sold, or why the page cannot show these terms. */
function TermsNote({ retry, since, mayRead }: TermsNoteOf) {
  const { text } = useWords();
  if (mayRead === undefined) return null;
  return (
    <p className={styles['note']}>
      {text(!mayRead ? 'terms.no-right' : !since || retry ? 'terms.unknown' : 'terms.event')}{' '}
      {retry ? (
        <DisappearingButton onClick={() => void retry()}>{text('trouble.retry')}</DisappearingButton>
      ) : (
        mayRead && since && <EventDay {...since} />
      )}
    </p>
  );
}

type Purchase = OrganizationDocument['addOns'][number];

function AddOns({ document, ...answers }: PlanOf) {
  const { id, other } = answers;
  const { text } = useWords();
  const byId = (purchases: readonly Purchase[]) => purchases.map((one) => ({ ...one, _id: one.purchase }));
  const there = other && { list: other.document && byId(other.document.addOns), isEarlier: other.isEarlier };
  const rows = comparedEntries(byId(document.addOns), there, ({ addOn, quantity }) => [addOn, quantity]);
  const marked = rows.map(({ entry, mark }) => ({ id: entry._id, ...(mark && { mark }) }));
  const changedBy = useChangedBy(id, '/addOns', sidesOf(answers), marked);
  return (
    <section className={cardStyles['card']} aria-labelledby="add-ons">
      <h2 id="add-ons">{text('plan.add-ons')}</h2>
      {rows.length === 0 && <p>{text('plan.add-ons.none')}</p>}
      <Legend of={rows} />
      <ul>
        {rows.map(({ entry, other: counterpart, isHere, mark }) => (
          <AddOn
            key={entry._id}
            {...{ id, mark }}
            purchase={entry}
            there={mark === 'changed' ? counterpart : undefined}
            isLater={!isHere && mark === 'added'}
            by={changedBy(entry._id, mark)}
          />
        ))}
      </ul>
    </section>
  );
}

type AddOnOf = Readonly<{
  id: string;
  purchase: Purchase;
  /** The same purchase at the other side of the comparison, if it differs. */
  there: Purchase | undefined;
  /** Whether the purchase was added after the page's moment. */
  isLater: boolean;
  mark: Parameters<typeof Marked>[0]['mark'];
  /** The event that caused the difference. */
  by: ReactNode;
}>;

/** A purchased add-on, with what each unit grants by the terms as sold and by today's catalogue. */
function AddOn({ id, purchase, there, isLater, mark, by }: AddOnOf) {
  const { text, number, addOn: addOnName, compared } = useWords();
  const { data: catalogue } = useCatalogueQuery(undefined);
  const sold = useSoldGrants(id, purchase.since.event);
  const today = catalogue?.addOns.find(({ addOn }) => addOn === purchase.addOn)?.grants;
  const grants = useGrantWords();
  const words = ({ addOn, quantity }: Purchase) =>
    text('plan.add-on', { addOn: addOnName(addOn), quantity, times: number(quantity) });
  return (
    <li>
      <Marked mark={mark} by={by}>
        {compared(words(purchase), there && words(there))}
      </Marked>{' '}
      <span>
        <Sentence of={text('plan.since', { day: MOMENT })} at={purchase.effectiveAt} as="day" />
      </span>{' '}
      <EventDay {...purchase.since} isLater={isLater} />{' '}
      <ValuesLink path={`/addOns/${purchase.purchase}`} of={addOnName(purchase.addOn)} />
      <Waits {...sold} />
      {sold.grants && (
        <span className={styles['detail']}>{text('terms.grants.sold', { grants: grants(sold.grants) })}</span>
      )}
      {today && <span className={styles['detail']}>{text('terms.grants.today', { grants: grants(today) })}</span>}
    </li>
  );
}

type Grants = Catalogue['addOns'][number]['grants'];

function useSoldGrants(id: string, revision: number): FirstLoad & Readonly<{ grants: Grants | undefined }> {
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const query: FirstLoad & Readonly<{ data?: EventPage }> = useEventQuery({ id, revision }, { skip: !mayRead });
  const event = query.data?.events.find((one) => one.revision === revision && one.type === 'AddOnPurchased');
  return { grants: event?.data?.['grants'] as Grants | undefined, ...query };
}

/** The grants of an add-on in words: `Users: 1, Feedback and Feedback notes`. */
function useGrantWords() {
  const { text, name, number, list } = useWords();
  return ({ limits, features }: Grants) => {
    const amounts = Object.entries(limits).map(([resource, amount]) =>
      text('terms.amount', { amount: number(amount), resource: name(resource) }),
    );
    return list([...amounts, ...features.map(name)]);
  };
}

function ServiceLevel({ document, other }: PlanOf) {
  const { text, name, compared, list } = useWords();
  const { data: catalogue } = useCatalogueQuery(undefined);
  const level = (value: string) => (value === 'none' ? text('moment.none') : name(value));
  const features = catalogue?.serviceLevels.find(
    ({ serviceLevel }) => serviceLevel === document.serviceLevel,
  )?.features;
  return (
    <section className={cardStyles['card']} aria-labelledby="service-level">
      <h2 id="service-level">{text('plan.service')}</h2>
      <p>
        <span>{compared(level(document.serviceLevel), other?.document && level(other.document.serviceLevel))}</span>{' '}
        <EventDay {...document.since.serviceLevel} /> <ValuesLink path="/serviceLevel" of={text('plan.service')} />
      </p>
      {features && features.length > 0 && <p className={styles['note']}>{list(features.map(name))}</p>}
    </section>
  );
}

/** All plans for sale today, with those that the organization holds marked. */
function TodaysCatalogue({ document }: Readonly<{ document: OrganizationDocument | undefined }>) {
  const { text, name, number, planOfLine } = useWords();
  const catalogue = useCatalogueQuery(undefined);
  const amount = (value: number | null) => (value === null ? text('limits.no-limit') : number(value));
  return (
    <section className={cardStyles['card']} aria-labelledby="catalogue">
      <h2 id="catalogue">{text('plan.catalogue')}</h2>
      <p className={styles['note']}>{text('plan.catalogue.note')}</p>
      <Region<Catalogue> name={text('plan.catalogue')} query={catalogue}>
        {({ plans }) => {
          const named = resourcesIn(plans.map(({ terms }) => terms));
          return (
            <table className={styles['table']}>
              <thead>
                <tr>
                  <th scope="col">{text('plan.title')}</th>
                  {named.map((resource) => (
                    <th key={resource} scope="col">
                      {name(resource)}
                    </th>
                  ))}
                  <th scope="col">{text('terms.traffic')}</th>
                </tr>
              </thead>
              <tbody>
                {plans.map(({ line, plan, terms }) => (
                  <tr key={`${line}/${plan}`}>
                    <th scope="row">
                      {planOfLine(line, plan)}{' '}
                      {document?.plans[line]?.plan === plan && (
                        <span className={tagStyles['tag']} data-state="on">
                          {text('plan.held')}
                        </span>
                      )}
                    </th>
                    {named.map((resource) => (
                      <td key={resource}>
                        <span className={styles['label']}>{name(resource)}: </span>
                        {amount(limitIn(terms, resource))}
                      </td>
                    ))}
                    <td>
                      <span className={styles['label']}>{text('terms.traffic')}: </span>
                      {amount(trafficIn(terms))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Region>
    </section>
  );
}
