import type { Catalogue, Entitlements, OrganizationDocument } from '@charter/client';
import styles from '../../../commands/Command.module.css';
import { CommandNote } from '../../../commands/CommandNote';
import { useCommand } from '../../../commands/useCommand';
import { useRights } from '../../../commands/useRights';
import type { DraftCommand } from '../../../draft/address/draft-address';
import cardStyles from '../../../page-parts/Card.module.css';
import controlStyles from '../../../page-parts/Controls.module.css';
import { useWords } from '../../../words';
import { productLines } from '../useSoldTerms';
import { bounds, limitsByHand, wholeNumber } from './bounds';
import { DraftField, DraftForm, type FormTexts, type MadeCommand } from './DraftForm';
import { OwnTermsForm } from './OwnTermsForm';

type ChangesOf = Readonly<{
  id: string;
  document: OrganizationDocument;
  /** Undefined until the service has answered. */
  entitlements: Entitlements | undefined;
  catalogue: Catalogue | undefined;
}>;

/**
 * The forms for changes that only operators make. Each form adds a command to a draft, so the operator sees the effect
 * before the commit.
 */
export default function OperatorChanges({ id, document, entitlements, catalogue }: ChangesOf) {
  const { text } = useWords();
  const { may } = useRights(id);
  return (
    <section className={cardStyles['card']} aria-labelledby="operators">
      <h2 id="operators">{text('operators.title')}</h2>
      <p className={styles['hint']}>{text('operators.note')}</p>
      {may('ConfigureLimits') && entitlements && <LimitsForm {...{ id }} limits={entitlements.limits} />}
      {may('OverrideHardLimits') && <OverrideForm {...{ id }} />}
      {may('RestoreHardLimits') && document.limits.override && <RestoreForm {...{ id }} />}
      {may('ReportTraffic') && <TrafficForm {...{ id }} />}
      {may('AssignPlan') && catalogue && <OwnTermsForm {...{ id, catalogue, document }} />}
      {may('CancelAddOn') && may('EndPlan') && <Ends {...{ id, document }} />}
    </section>
  );
}

type LimitsOf = Readonly<{ id: string; limits: Entitlements['limits'] }>;

/** The form with which an operator sets limits by hand, or removes the limits that were set by hand. */
function LimitsForm({ id, limits }: LimitsOf) {
  const { text, name, number } = useWords();
  const byHand = limitsByHand(limits);
  const commandOf = (texts: FormTexts): MadeCommand => {
    const data: Record<string, number | null> = {};
    for (const resource of byHand) {
      if (texts(`${resource}.plan`) !== '') data[resource] = null;
      if (texts(`${resource}.plan`) !== '' || texts(resource) === '') continue;
      const amount = wholeNumber(texts(resource), bounds.amountByHand);
      if (amount === undefined) return { wrong: resource };
      data[resource] = amount;
    }
    return Object.keys(data).length === 0 ? { wrong: byHand[0] ?? '' } : { type: 'ConfigureLimits', data };
  };
  return (
    <DraftForm {...{ id, commandOf }} title={text('operators.limits')}>
      {byHand.map((resource) => (
        <div key={resource}>
          <DraftField
            name={resource}
            label={name(resource)}
            hint={text('operators.limits.hint', { max: number(bounds.amountByHand.max) })}
            inputMode="numeric"
          />
          {limits[resource].because.some(({ kind }) => kind === 'by-hand') && (
            <label className={styles['check']}>
              <input type="checkbox" name={`${resource}.plan`} />{' '}
              {text('operators.limits.plan', { resource: name(resource) })}
            </label>
          )}
        </div>
      ))}
    </DraftForm>
  );
}

function OverrideForm({ id }: Readonly<{ id: string }>) {
  const { text, number } = useWords();
  const commandOf = (texts: FormTexts): MadeCommand => {
    const reason = texts('reason');
    if (!isReason(reason)) return { wrong: 'reason' };
    const until = texts('until') === '' ? undefined : new Date(`${texts('until')}Z`);
    if (until !== undefined && Number.isNaN(until.getTime())) return { wrong: 'until' };
    return { type: 'OverrideHardLimits', data: { reason, ...(until && { until: until.toISOString() }) } };
  };
  return (
    <DraftForm {...{ id, commandOf }} title={text('operators.override')}>
      <DraftField
        name="reason"
        label={text('settings.closed.reason')}
        hint={text('operators.reason.hint', { max: number(bounds.reasonLength) })}
      />
      <DraftField
        name="until"
        type="datetime-local"
        label={text('operators.override.until')}
        hint={text('operators.override.until.hint')}
      />
    </DraftForm>
  );
}

function RestoreForm({ id }: Readonly<{ id: string }>) {
  const { text, number } = useWords();
  const commandOf = (texts: FormTexts): MadeCommand => {
    const reason = texts('reason');
    return isReason(reason) ? { type: 'RestoreHardLimits', data: { reason } } : { wrong: 'reason' };
  };
  return (
    <DraftForm {...{ id, commandOf }} title={text('operators.restore')}>
      <DraftField
        name="reason"
        label={text('settings.closed.reason')}
        hint={text('operators.reason.hint', { max: number(bounds.reasonLength) })}
      />
    </DraftForm>
  );
}

const isReason = (reason: string) => reason !== '' && Array.from(reason).length <= bounds.reasonLength;

function TrafficForm({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const commandOf = (texts: FormTexts): MadeCommand => {
    const month = texts('month');
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return { wrong: 'month' };
    const views = wholeNumber(texts('views'), bounds.views);
    return views === undefined ? { wrong: 'views' } : { type: 'ReportTraffic', data: { month, views } };
  };
  return (
    <DraftForm {...{ id, commandOf }} title={text('operators.traffic')}>
      <DraftField
        name="month"
        type="month"
        label={text('operators.traffic.month')}
        hint={text('operators.traffic.month.hint')}
      />
      <DraftField
        name="views"
        label={text('operators.traffic.views')}
        hint={text('operators.traffic.views.hint')}
        inputMode="numeric"
      />
    </DraftForm>
  );
}

/**
 * For each plan and each purchased add-on of the organization: a button that adds a command to the draft. The command
 * ends the plan or cancels the add-on.
 */
function Ends({ id, document }: Readonly<{ id: string; document: OrganizationDocument }>) {
  const { text, planOfLine, addOn: addOnName, number } = useWords();
  const command = useCommand(id);
  const plans = productLines.flatMap((line) => {
    const plan = document.plans[line]?.plan;
    if (plan === undefined) return [];
    const ended: DraftCommand = { type: 'EndPlan', data: { line } };
    return [{ key: line, words: text('operators.end.plan', { plan: planOfLine(line, plan) }), ended }];
  });
  const purchases = document.addOns.map(({ purchase, addOn, quantity }) => ({
    key: purchase,
    words: text('operators.end.add-on', { addOn: addOnName(addOn), quantity: number(quantity) }),
    ended: { type: 'CancelAddOn', data: { purchase } },
  }));
  if (plans.length + purchases.length === 0) return null;
  return (
    <div role="group" aria-labelledby="ends">
      <h3 id="ends">{text('operators.ends')}</h3>
      <p className={styles['hint']}>{text('operators.ends.hint')}</p>
      <CommandNote command={command} />
      <ul className={styles['buttons']}>
        {[...plans, ...purchases].map(({ key, words, ended }) => (
          <li key={key}>
            <button type="button" className={controlStyles['button']} onClick={() => void command.toDraft([ended])}>
              {words}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
