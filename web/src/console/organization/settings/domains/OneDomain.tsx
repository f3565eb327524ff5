import type { VerifiedDomain } from '@charter/client';
import { useId } from 'react';
import commandStyles from '../../../commands/Command.module.css';
import { useRights } from '../../../commands/useRights';
import { isPastMoment } from '../../../moment/page-moment';
import { usePageMoment } from '../../../moment/usePageMoment';
import { CopyButton } from '../../../page-parts/CopyButton';
import controlStyles from '../../../page-parts/Controls.module.css';
import { MOMENT, Sentence } from '../../../page-parts/Moment';
import tagStyles from '../../../page-parts/Tag.module.css';
import { useWords } from '../../../words';
import { typed } from '../../history/wording/typed-text';
import { BothHostnames } from '../../lists/BothHostnames';
import styles from '../../lists/List.module.css';
import type { DomainAction } from './DomainDialog';

type Of = Readonly<{ id: string; domain: VerifiedDomain; begin: (action: DomainAction) => void }>;

/** The colour and the message of the tag of each state. */
const tags = {
  claimed: ['off', 'email-domains.state.claimed'],
  proven: ['on', 'email-domains.state.proven'],
  lapsing: ['warn', 'email-domains.state.lapsing'],
} as const satisfies Readonly<Record<VerifiedDomain['state'], readonly [string, string]>>;

/** A domain with its state, its DNS record, its effects, and the buttons that the person may use. */
export function OneDomain({ id, domain: one, begin }: Of) {
  const { text } = useWords();
  const { may } = useRights(id);
  const headingId = useId();
  const { domain, unicode, state, record, automaticMembership, managed } = one;
  const works = state !== 'claimed';
  const [color, tag] = tags[state];
  const actions = [
    ['check', 'email-domains.check.menu', may('ProveEmailDomain')],
    ['switch', 'email-domains.switch.menu', works && may('ChangeEmailDomainSettings')],
    ['withdraw', 'email-domains.withdraw.menu', may('ReleaseEmailDomain')],
  ] as const;
  const allowed = actions.filter(([, , isAllowed]) => isAllowed);
  return (
    <article aria-labelledby={headingId} className={styles['rows']}>
      <h3 id={headingId}>
        <BothHostnames hostname={domain} unicode={unicode} />{' '}
        <span className={tagStyles['tag']} data-state={color}>
          {text(tag)}
        </span>
      </h3>
      <p className={styles['note']}>
        <State of={one} />
      </p>
      <dl className={styles['facts']}>
        <dt>{text('email-domains.record.name')}</dt>
        <dd>
          <code>{record.name}</code> <CopyButton what={text('email-domains.record.name')} value={record.name} />
        </dd>
        <dt>{text('email-domains.record.value')}</dt>
        <dd>
          <code>{record.value}</code> <CopyButton what={text('email-domains.record.value')} value={record.value} />
        </dd>
        {works && (
          <>
            <dt>{text('email-domains.membership')}</dt>
            <dd>{text(automaticMembership ? 'email-domains.membership.on' : 'email-domains.membership.off')}</dd>
            <dt>{text('email-domains.managed')}</dt>
            <dd>{text(managed ? 'email-domains.managed.on' : 'email-domains.managed.off')}</dd>
          </>
        )}
      </dl>
      {allowed.length > 0 && (
        <div className={commandStyles['buttons']}>
          {allowed.map(([is, label]) => (
            <button
              key={is}
              type="button"
              className={controlStyles[is === 'withdraw' ? 'danger' : 'button']}
              aria-haspopup="dialog"
              onClick={() => begin({ is, one })}
            >
              {text(label)} <span className="unseen">{typed(unicode)}</span>
            </button>
          ))}
        </div>
      )}
    </article>
  );
}

/** For each state: the message about the state, and the message about the next step of a person. */
const sentences = {
  claimed: ['email-domains.claimed', 'email-domains.claimed.next'],
  proven: ['email-domains.proven', 'email-domains.proven.next'],
  lapsing: ['email-domains.lapsing', 'email-domains.lapsing.next'],
} as const satisfies Readonly<Record<VerifiedDomain['state'], readonly [string, string]>>;

/** The state in words, with its moments. At a past moment there is no next step. */
function State({ of: { state, since, until } }: Readonly<{ of: VerifiedDomain }>) {
  const { text } = useWords();
  const { moment } = usePageMoment();
  const [said, next] = sentences[state];
  return (
    <>
      <Sentence of={text(said, { moment: MOMENT })} at={since} as="minute" />{' '}
      {until !== null && <Sentence of={text('email-domains.until', { moment: MOMENT })} at={until} as="minute" />}{' '}
      {!isPastMoment(moment) && text(next)}
    </>
  );
}
