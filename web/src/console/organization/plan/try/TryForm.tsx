import type { Catalogue, OrganizationDocument } from '@charter/client';
import { lazy, Suspense, useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useStandingQuery } from '../../../api';
import { TRY } from './TryLink';
import { buysOnline } from '../../../checkout/buys-online';
import cardStyles from '../../../page-parts/Card.module.css';
import { Skeleton } from '../../../page-parts/Region';
import { useShownAtOnce } from '../../../page-parts/useShownAtOnce';
import { useFocusOfLink } from '../../lists/useFocusOfLink';
import { useWords } from '../../../words';
import { WithWords } from '../../later-words';
import { Choice } from '../../lists/Choice';
import styles from '../../lists/List.module.css';
import { productLines } from '../useSoldTerms';
import { heldQuantity, isQuantity, NO_PLAN, SERVICE, triedCommands, triedIn, triedText } from './tried-changes';

const TriedPreview = lazy(() => import('./TriedPreview'));

type FormOf = Readonly<{ id: string; document: OrganizationDocument; catalogue: Catalogue; isPast: boolean }>;

/**
 * A form in which a person chooses plans, add-ons and a service level, with a preview of their effect. The form does
 * not change the organization.
 */
export function TryForm({ id, document, catalogue, isPast }: FormOf) {
  const { text, planOfLine, name, addOn: addOnName } = useWords();
  const { tried, wish } = useTried();
  const heading = useFocusOfLink(TRY);
  const { data: standing } = useStandingQuery(id);
  const buys = buysOnline(standing);
  const commands = triedCommands(tried, document, { buys });
  /**
   * The name of a plan, an add-on or a service level. For a person who can buy online, the name of an offer that is not
   * sold online says so.
   */
  const offered = (offer: string, isOnline: boolean) => (buys && !isOnline ? text('try.not-online', { offer }) : offer);
  const held = (line: (typeof productLines)[number]) => {
    const plan = document.plans[line];
    return text('try.held', { name: plan ? planOfLine(line, plan.plan) : text('moment.none') });
  };
  /** The name of an offered plan. The terms of the present plan can differ from the terms in today's catalogue. */
  const planOn = (line: (typeof productLines)[number], plan: string) => {
    const offer = planOfLine(line, plan);
    return document.plans[line]?.plan === plan ? text('try.todays-terms', { plan: offer }) : offer;
  };
  return (
    <>
      <section className={cardStyles['card']} aria-labelledby={TRY}>
        <h2 id={TRY} ref={heading} tabIndex={-1}>
          {text('try.title')}
        </h2>
        <p className={styles['note']}>{text('try.note')}</p>
        <div className={styles['filters']}>
          {productLines.map((line) => {
            const plans = catalogue.plans.filter((offer) => offer.line === line);
            return (
              <Choice
                key={line}
                label={text(line === 'first' ? 'try.first-line' : 'try.second-line')}
                value={tried.get(line) ?? ''}
                none={held(line)}
                options={[
                  ...plans.map(({ plan, soldOnline }): [string, string] => [
                    plan,
                    offered(planOn(line, plan), soldOnline),
                  ]),
                  ...(document.plans[line] ? [[NO_PLAN, text('moment.none')] as const] : []),
                ]}
                onChange={(plan) => wish(line, plan)}
              />
            );
          })}
          <Choice
            label={text('plan.service')}
            value={tried.get(SERVICE) ?? ''}
            none={text('try.held', {
              name: document.serviceLevel === 'none' ? text('moment.none') : name(document.serviceLevel),
            })}
            options={catalogue.serviceLevels
              .filter(({ serviceLevel }) => serviceLevel !== document.serviceLevel)
              .map(({ serviceLevel }) => [
                serviceLevel,
                serviceLevel === 'none' ? text('moment.none') : name(serviceLevel),
              ])}
            onChange={(level) => wish(SERVICE, level)}
          />
        </div>
        <fieldset className={styles['filters']}>
          <legend>{text('plan.add-ons')}</legend>
          {catalogue.addOns.map(({ addOn, soldOnline }) => {
            const held = String(heldQuantity(document, addOn));
            return (
              <Quantity
                key={addOn}
                label={offered(addOnName(addOn), soldOnline)}
                held={held}
                value={tried.get(addOn) ?? held}
                onChange={(value) => wish(addOn, value === held ? '' : value, { replace: true })}
              />
            );
          })}
        </fieldset>
      </section>
      {commands.length > 0 ? (
        <Suspense fallback={<Skeleton name={text('try.title')} rows={6} />}>
          <WithWords group={['draft', 'commands', 'history', 'checkout']}>
            <TriedPreview {...{ id, commands, isPast }} />
          </WithWords>
        </Suspense>
      ) : (
        <p className={styles['note']}>{text('try.nothing')}</p>
      )}
    </>
  );
}

type QuantityOf = Readonly<{ label: string; held: string; value: string; onChange: (value: string) => void }>;

/**
 * A field for the quantity of an add-on. While the text in the field is not a valid quantity, the preview ignores this
 * add-on.
 */
function Quantity({ label, held, value, onChange }: QuantityOf) {
  const { text } = useWords();
  const hint = useId();
  const [shown, change] = useShownAtOnce(value, onChange);
  const [impossible, setImpossible] = useState<string>();
  const isWrong = impossible !== undefined && impossible !== '';
  return (
    <div>
      <label className={styles['choice']}>
        <span>{label}</span>
        <input
          type="number"
          min={0}
          max={9999}
          value={impossible ?? shown}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? hint : undefined}
          onBlur={() => setImpossible(isWrong ? impossible : undefined)}
          onChange={({ target }) => {
            const isPossible = isQuantity(target.value);
            setImpossible(isPossible ? undefined : target.value);
            change(isPossible ? target.value : held);
          }}
        />
      </label>
      {isWrong && <p id={hint}>{text('try.no-quantity')}</p>}
    </div>
  );
}

/**
 * The tried changes in the address. A choice adds an entry to the browser's history; typing replaces the current entry.
 */
function useTried() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const wish = (name: string, value: string, { replace = false } = {}) => {
    const address = new URLSearchParams(window.location.search); // also contains a choice that is not rendered yet
    const next = new Map(triedInQuery(address));
    if (value === '') next.delete(name);
    else next.set(name, value);
    if (next.size === 0) address.delete('try');
    else address.set('try', triedText(next));
    void navigate({ pathname, search: address.toString() }, { replace });
  };
  return { tried: triedInQuery(new URLSearchParams(search)), wish };
}

const triedInQuery = (query: URLSearchParams) => triedIn(query.get('try') ?? '');
