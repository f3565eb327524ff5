import type { Catalogue, OrganizationDocument } from '@charter/client';
import { useId, useState } from 'react';
import styles from '../../../commands/Command.module.css';
import { useWords } from '../../../words';
import { featuresOf, resourcesIn } from '../plan-terms';
import { productLines } from '../useSoldTerms';
import { bounds, wholeNumber } from './bounds';
import { DraftField, DraftForm, type FormTexts, type MadeCommand } from './DraftForm';

type PlanForSale = Catalogue['plans'][number];
const groups = ['limits', 'hardLimits'] as const;

type FormOf = Readonly<{ id: string; catalogue: Catalogue; document: OrganizationDocument }>;

/**
 * The form that assigns a plan on other terms than those of the catalogue. At first, the fields contain the terms of
 * today's catalogue.
 */
export function OwnTermsForm({ id, catalogue, document }: FormOf) {
  const { text, name, number, planOfLine } = useWords();
  const planId = useId();
  const { plans } = catalogue;
  const keyOf = ({ line, plan }: PlanForSale) => `${line}/${plan}`;
  const held = productLines.flatMap((line) => (document.plans[line] ? [`${line}/${document.plans[line].plan}`] : []));
  const [chosen, setChosen] = useState({ key: held[0], byHand: false });
  const offer = plans.find((one) => keyOf(one) === chosen.key) ?? plans[0];
  if (!offer) return null;
  const { line, plan, terms } = offer;
  const resources = resourcesIn(plans.map((one) => one.terms));
  const features = featuresOf(...plans.map((one) => one.terms));
  const commandOf = (texts: FormTexts): MadeCommand => {
    const own = { limits: {} as Record<string, number>, hardLimits: {} as Record<string, number> };
    for (const group of groups) {
      for (const resource of resources) {
        const field = `${group}.${resource}`;
        if (texts(field) === '') continue;
        const amount = wholeNumber(texts(field), bounds.term);
        if (amount === undefined) return { wrong: field };
        own[group][resource] = amount;
      }
    }
    const trafficPerMonth = wholeNumber(texts('trafficPerMonth'), bounds.term);
    if (trafficPerMonth === undefined) return { wrong: 'trafficPerMonth' };
    const granted = features.filter((feature) => texts(`feature.${feature}`) !== '');
    return {
      type: 'AssignPlan',
      data: { line, plan, terms: termsWith(terms, { ...own, trafficPerMonth, features: granted }) },
    };
  };
  const hint = text('operators.terms.hint');
  return (
    <DraftForm key={keyOf(offer)} {...{ id, commandOf }} title={text('operators.terms')}>
      <label htmlFor={planId}>{text('plan.title')}</label>
      <select
        id={planId}
        value={keyOf(offer)}
        // A choice mounts the form again with the terms of the chosen plan, so the new field takes the focus.
        autoFocus={chosen.byHand}
        onChange={({ target }) => setChosen({ key: target.value, byHand: true })}
      >
        {plans.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {planOfLine(one.line, one.plan)}
          </option>
        ))}
      </select>
      <details>
        <summary>{text('operators.terms.open')}</summary>
        {groups.flatMap((group) =>
          resources.map((resource) => (
            <DraftField
              key={`${group}.${resource}`}
              name={`${group}.${resource}`}
              label={group === 'limits' ? name(resource) : text('operators.terms.hard', { resource: name(resource) })}
              defaultValue={terms[group][resource] ?? ''}
              inputMode="numeric"
              {...{ hint }}
            />
          )),
        )}
        <DraftField
          name="trafficPerMonth"
          label={text('terms.traffic')}
          defaultValue={terms.trafficPerMonth}
          inputMode="numeric"
          hint={text('operators.terms.traffic.hint', { max: number(bounds.term.max) })}
        />
        <fieldset>
          <legend>{text('features.title')}</legend>
          {features.map((feature) => (
            <label key={feature} className={styles['check']}>
              <input type="checkbox" name={`feature.${feature}`} defaultChecked={featuresOf(terms).includes(feature)} />{' '}
              {name(feature)}
            </label>
          ))}
        </fieldset>
      </details>
    </DraftForm>
  );
}

type OwnTerms = Readonly<{
  limits: Readonly<Record<string, number>>;
  hardLimits: Readonly<Record<string, number>>;
  trafficPerMonth: number;
  features: readonly string[];
}>;

/** The full terms of a sale: the values of the form, and the terms of the catalogue for all other fields. */
const termsWith = (
  { soldOnlyByAddOn, siteDefaults, organizationDefaults, customSetDefaults }: PlanForSale['terms'],
  own: OwnTerms,
) => ({
  ...own,
  soldOnlyByAddOn,
  siteDefaults,
  organizationDefaults: { features: organizationDefaults.features },
  customSetDefaults,
});
