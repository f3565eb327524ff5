import type { Feature, Plans, Reason } from '@charter/client';
import { Fragment, useState } from 'react';
import { Search } from '../chooser/Chooser';
import controlStyles from '../page-parts/Controls.module.css';
import styles from './Features.module.css';
import tagStyles from '../page-parts/Tag.module.css';
import whyStyles from './Why.module.css';
import { Steps } from './Why';
import { useWords, type ConsoleWords } from '../words';

type Shown = 'all' | 'on' | 'off';
type FeaturesOf = Readonly<{ features: Readonly<Record<string, Feature>>; plans: Plans | undefined }>;

/** All features, each with its state and the reasons. */
export function Features({ features, plans }: FeaturesOf) {
  const words = useWords();
  const { text, name } = words;
  const [filter, setFilter] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const rows = Object.entries(features).filter(
    ([key, { on }]) =>
      (shown === 'all' || on === (shown === 'on')) && name(key).toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <>
      <div className={styles['filters']}>
        <Search label={text('features.filter')} value={filter} onChange={setFilter} />
        <fieldset>
          <legend className="unseen">{text('features.shown')}</legend>
          {(['all', 'on', 'off'] as const).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="features"
                value={choice}
                checked={shown === choice}
                onChange={() => setShown(choice)}
              />
              {text(choices[choice])}
            </label>
          ))}
        </fieldset>
      </div>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{text('features.feature')}</th>
            <th scope="col">{text('features.access')}</th>
            <th scope="col">{text('features.why')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, feature]) => (
            <tr key={key}>
              <th scope="row">{name(key)}</th>
              <td>
                <span className={tagStyles['tag']} data-state={feature.on ? 'on' : 'off'}>
                  {text(feature.on ? 'features.on' : 'features.off')}
                </span>
              </td>
              <td>
                <Reason of={key} feature={feature} plans={plans} words={words} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status">
        {rows.length === 0 && (
          <Fragment>
            {text('features.no-match')}{' '}
            <button
              type="button"
              className={controlStyles['button']}
              onClick={() => {
                setFilter('');
                setShown('all');
              }}
            >
              {text('features.clear')}
            </button>
          </Fragment>
        )}
      </p>
    </>
  );
}

const choices: Readonly<Record<Shown, string>> = {
  all: 'features.all',
  on: 'features.only-on',
  off: 'features.only-off',
};

type ReasonOf = Readonly<{ of: string; feature: Feature; plans: Plans | undefined; words: ConsoleWords }>;

function Reason({ of, feature: { because }, plans, words }: ReasonOf) {
  const [first] = because;
  if (!first) return <>{missing(of, plans, words)}</>;
  return (
    <details className={whyStyles['why']}>
      <summary>{reasonOf(first, words)}</summary>
      <Steps because={because}>{(one) => reasonOf(one, words)}</Steps>
    </details>
  );
}

function reasonOf({ kind, what }: Reason, { text, plan, addOn, name }: ConsoleWords): string {
  if (kind === 'plan') return text('features.because.plan', { plan: plan(what) });
  if (kind === 'add-on') return text('features.because.add-on', { addOn: addOn(what) });
  if (kind === 'service-level') return text('features.because.service-level', { level: name(what) });
  if (kind === 'product') return text('features.because.product');
  if (kind === 'closed') return text('features.because.closed');
  return what;
}

/** The sentence that says why a feature is off. */
function missing(feature: string, plans: Plans | undefined, { text, planOfLine }: ConsoleWords): string {
  const held = (['first', 'second'] as const).flatMap((line) => {
    const plan = plans?.[line];
    return plan ? [planOfLine(line, plan.plan)] : [];
  });
  return text('features.missing', {
    plans: held.length,
    first: held[0] ?? '',
    second: held[1] ?? '',
    sold: feature === OF_SERVICE_LEVELS ? 'service' : 'no',
  });
}

/**
 * The feature that every service level includes, independent of the catalogue (`specification.md` 4). For all other
 * features, the catalogue decides which offers include them.
 */
const OF_SERVICE_LEVELS = 'chatSupport';
