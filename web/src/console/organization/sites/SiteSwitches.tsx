import type { Receipt } from '@charter/client';
import type { Site as SiteAnswer } from '@charter/client';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { DoneNote, useResult } from '../../commands/DoneNote';
import { CommandNote } from '../../commands/CommandNote';
import { useCommand } from '../../commands/useCommand';
import { useSendWords } from '../../commands/useSendWords';
import controlStyles from '../../page-parts/Controls.module.css';
import tagStyles from '../../page-parts/Tag.module.css';
import { RequestButton } from '../../../ui/RequestButton';
import { useWords } from '../../words';
import { siteFeatures, siteFeatureWords, type SwitchName } from './site-features';
import styles from './SiteSwitches.module.css';

type SwitchValue = 'on' | 'off' | 'plan';
const values: Readonly<Record<SwitchValue, boolean | null>> = { on: true, off: false, plan: null };
const valueWords: Readonly<Record<SwitchValue, string>> = {
  on: 'features.on',
  off: 'features.off',
  plan: 'site.because.plan',
};

type SwitchesOf = Readonly<{
  id: string;
  site: string;
  /** The stored switches, each with the reason for its value. */
  features: SiteAnswer['features'];
  /** Returns the text that explains why a switch has its value. */
  children: (feature: SwitchName) => ReactNode;
}>;

/**
 * A form with the ten switches of a site. Each switch is on, off, or as the plan says. One press of the button stores
 * all choices.
 */
export function SiteSwitches({ id, site, features, children }: SwitchesOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const sendWords = useSendWords();
  const [chosen, setChosen] = useState<Partial<Record<SwitchName, SwitchValue>>>({});
  const storedOf = (feature: SwitchName): SwitchValue => {
    const { on, because } = features[feature];
    if (because !== 'site') return 'plan';
    return on ? 'on' : 'off';
  };
  const differing = siteFeatures.filter((feature) => (chosen[feature] ?? storedOf(feature)) !== storedOf(feature));
  const { result, say } = useResult();
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    if (command.isBusy) say(text('command.wait'));
    if (differing.length === 0 || command.isBusy) return;
    say('');
    const wanted = Object.fromEntries(differing.map((feature) => [feature, values[chosen[feature] ?? 'plan']]));
    const forget = () =>
      setChosen((now) =>
        Object.fromEntries(siteFeatures.flatMap((one) => (now[one] === chosen[one] ? [] : [[one, now[one]]]))),
      );
    const stored = (receipt: Receipt) => {
      forget();
      say(text('site.switches.done'), receipt);
    };
    command.runOrDraft({ type: 'ChangeSiteFeatures', data: { site, features: wanted } }, stored, forget);
  };
  return (
    <form method="post" noValidate onSubmit={save}>
      {siteFeatures.map((feature) => (
        <fieldset key={feature} className={styles['switch']}>
          <legend>{text(siteFeatureWords[feature])}</legend>
          {(['on', 'off', 'plan'] as const).map((value) => (
            <label key={value}>
              <input
                type="radio"
                name={feature}
                value={value}
                checked={(chosen[feature] ?? storedOf(feature)) === value}
                onChange={() => setChosen({ ...chosen, [feature]: value })}
              />{' '}
              {text(valueWords[value])}
            </label>
          ))}
          <div className={styles['why']}>
            <span className={tagStyles['tag']} data-state={features[feature].on ? 'on' : 'off'}>
              {text(features[feature].on ? 'features.on' : 'features.off')}
            </span>
            {children(feature)}
          </div>
        </fieldset>
      ))}
      <CommandNote command={command} />
      <RequestButton
        type="submit"
        className={controlStyles['primary']}
        isBusy={command.isBusy}
        aria-disabled={differing.length === 0 || command.isBusy}
      >
        {sendWords(text('site.switches.save', { count: differing.length }))}
      </RequestButton>
      <DoneNote {...{ id, result }} />
    </form>
  );
}
