import type { Catalogue, Feature, Offer } from '@charter/client';
import { Fragment, memo } from 'react';
import { Search } from '../chooser/Search';
import cardStyles from '../page-parts/Card.module.css';
import { DisappearingButton } from '../page-parts/DisappearingButton';
import styles from './Features.module.css';
import tagStyles from '../page-parts/Tag.module.css';
import { offeredToday, reasonOf, whyOff } from './feature-reasons';
import { Steps, ValuesOf } from './Why';
import { WhyDetails } from './WhyDetails';
import { useWords, type ConsoleWords } from '../words';
import listStyles from '../organization/lists/List.module.css';
import { useShownAtOnce } from '../page-parts/useShownAtOnce';
import { useListFilter } from '../organization/lists/useListFilter';

type Shown = 'all' | 'on' | 'off';
type FeaturesOf = Readonly<{
  features: Readonly<Record<string, Feature>>;
  catalogue: Catalogue | undefined;
  /** The features at the other side of the comparison. */
  other?: Readonly<Record<string, Feature>> | undefined;
}>;
type FeatureName = keyof Catalogue['features'];

/** All features, each with its state (on or off) and the reasons for this state. */
export const Features = memo(function Features({ features, catalogue, other }: FeaturesOf) {
  const words = useWords();
  const { text, name, compared } = words;
  const access = ({ on }: Feature) => text(on ? 'features.on' : 'features.off');
  const { query, searched, choose, type: typeInAddress, clear } = useListFilter();
  const [filter, type] = useShownAtOnce(searched, typeInAddress);
  const [shown, show] = useShownAtOnce(shownIn(query.get('features')), (choice) =>
    choose('features', choice === 'all' ? '' : choice),
  );
  const rows = Object.entries(features).filter(
    ([key, { on }]) =>
      (shown === 'all' || on === (shown === 'on')) && name(key).toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <>
      <div className={listStyles['filters']}>
        <Search label={text('features.filter')} value={filter} onChange={type} />
        <fieldset className={styles['choices']}>
          <legend className="unseen">{text('features.shown')}</legend>
          {(['all', 'on', 'off'] as const).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="features"
                value={choice}
                checked={shown === choice}
                onChange={() => show(choice)}
              />
              {text(choices[choice])}
            </label>
          ))}
        </fieldset>
      </div>
      <table className={`${listStyles['table']} ${styles['features']}`}>
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
                  {compared(access(feature), other?.[key] && access(other[key]))}
                </span>
              </td>
              <td>
                <Reasons {...{ feature, words }} name={key} offers={catalogue?.features[key as FeatureName]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status">
        {rows.length === 0 && (
          <Fragment>
            {text('features.no-match')}{' '}
            <DisappearingButton onClick={() => clear('features')}>{text('features.clear')}</DisappearingButton>
          </Fragment>
        )}
      </p>
    </>
  );
});

/** The choice in the address: which features the page shows. Any value except `on` and `off` means all features. */
const shownIn = (choice: string | null): Shown => (choice === 'on' || choice === 'off' ? choice : 'all');

const choices: Readonly<Record<Shown, string>> = {
  all: 'features.all',
  on: 'features.only-on',
  off: 'features.only-off',
};

type ReasonsOf = Readonly<{
  name: string;
  feature: Feature;
  offers: readonly Offer[] | undefined;
  words: ConsoleWords;
}>;

/**
 * Why a feature is on or off. The person can open this text to see the event of each reason, and the offers of today's
 * catalogue.
 */
function Reasons({ name, feature, offers, words }: ReasonsOf) {
  const today = offeredToday(feature, offers, words);
  return (
    <WhyDetails
      of={`features/${name}`}
      summary={feature.on ? reasonOf(feature.because[0]!, words) : whyOff(feature, words)}
    >
      <Steps because={feature.because}>{(one) => reasonOf(one, words)}</Steps>
      {today !== undefined && <p className={cardStyles['caption']}>{today}</p>}
      <ValuesOf path={`/features/${name}`} of={words.name(name)} />
    </WhyDetails>
  );
}
