import type { Preview } from '@charter/client';
import { useState } from 'react';
import { useStartCheckoutMutation } from '../api';
import { refusalInWords } from '../commands/refusal-words';
import { TooMany } from '../commands/TooMany';
import { isUnknownOutcome } from '../commands/unknown-outcome';
import type { DraftCommand } from '../draft/address/draft-address';
import { commandInWords, type DraftWords } from '../draft/words/command-words';
import styles from '../draft/Draft.module.css';
import controlStyles from '../page-parts/Controls.module.css';
import { moveFocusAfterRemoval } from '../page-parts/DisappearingButton';
import { type CallFailure, isCallFailure } from '../problem';

/** A command that a checkout cannot sell, and why. */
type UnsoldLine = NonNullable<Preview['notSold']>[number];

type BuyOf = Readonly<{
  id: string;
  commands: readonly DraftCommand[];
  /** The effect that the person sees; undefined while the service computes it. */
  preview: Preview | undefined;
  /** The `Idempotency-Key` of the preview. Repeated requests with this key start only one checkout. */
  idempotencyKey: string;
  /**
   * Makes a new `Idempotency-Key`. Runs after the service has answered, because the next request must not use the same
   * key.
   */
  onAnswered: () => void;
  words: DraftWords;
}>;

/**
 * The button with which an owner goes to the payment provider. If a command is not sold online, the reason appears in
 * place of the button. If the service starts no checkout after the press, the reason appears below the button.
 */
export function Buy({ id, commands, preview, idempotencyKey, onAnswered, words }: BuyOf) {
  const { text } = words;
  const [start, { isLoading }] = useStartCheckoutMutation();
  const [failure, setFailure] = useState<CallFailure>();
  // While the service computes the effect again, the button stays and keeps the focus.
  const [latest, setLatest] = useState(preview);
  if (preview && preview !== latest) setLatest(preview);
  const buy = async () => {
    if (preview?.shown === undefined || isLoading) return;
    setFailure(undefined);
    const { data, error } = await start({ id, commands, shown: preview.shown, key: idempotencyKey });
    if (data) window.location.assign(data.url);
    if (!isCallFailure(error)) return;
    setFailure(error);
    if (!isUnknownOutcome(error, false)) onAnswered();
  };
  const refusal = failure && <NotStarted {...{ failure, commands, words }} />;
  if (latest?.shown === undefined || latest.events.length === 0) return refusal;
  const { notSold = [] } = latest;
  if (notSold.length > 0)
    return (
      <>
        {failure?.reason !== 'not-sold-online' && refusal}
        <p>{text('buy.not-sold')}</p>
        <NotSoldLines {...{ notSold, commands, words }} />
      </>
    );
  return (
    <>
      <p>{text('buy.note')}</p>
      <p className={styles['commit']} aria-busy={isLoading}>
        <button
          type="button"
          className={controlStyles['primary']}
          ref={moveFocusAfterRemoval}
          aria-disabled={!preview}
          onClick={() => void buy()}
        >
          {text('buy')}
        </button>
        <span role="status">{isLoading && text('buy.starting')}</span>
      </p>
      {refusal}
    </>
  );
}

type NotStartedOf = Pick<BuyOf, 'commands' | 'words'> & Readonly<{ failure: CallFailure }>;

/**
 * Says why the service has started no checkout, and that the person has paid nothing, unless another checkout is paid.
 */
function NotStarted({ failure, commands, words }: NotStartedOf) {
  const { text } = words;
  const { reason, status, problem } = failure;
  const notSold = reason === 'not-sold-online' ? problem?.items : undefined;
  return (
    <div role="alert">
      <p>
        {whyNotStarted(failure, words)} {!notSold?.some(isPaid) && text('buy.nothing')}{' '}
        {status === 429 && <TooMany seconds={failure.retryAfter} />}
      </p>
      {notSold && <NotSoldLines {...{ notSold, commands, words }} />}
    </div>
  );
}

type LinesOf = Pick<BuyOf, 'commands' | 'words'> & Readonly<{ notSold: readonly UnsoldLine[] }>;

/** The commands that cannot be bought online, each with its reason, and what the person can do. */
function NotSoldLines({ notSold, commands, words }: LinesOf) {
  return (
    <>
      <ul>
        {notSold.map(({ index, why }) => (
          <li key={index}>
            {commands[index] && commandInWords(commands[index], words)}: {words.text(whyNotSold[why])}
          </li>
        ))}
      </ul>
      {notSold.some(isPaid) && <p>{words.text('buy.change-subscription')}</p>}
      {!notSold.every(isPaid) && <p>{words.text('buy.ask-operator')}</p>}
    </>
  );
}

const isPaid = ({ why }: UnsoldLine): boolean => why === 'paid-already';

const whyNotSold: Readonly<Record<UnsoldLine['why'], string>> = {
  'not-by-checkout': 'buy.not-by-checkout',
  'named-twice': 'buy.named-twice',
  'nothing-new': 'buy.nothing-new',
  'paid-already': 'buy.paid-already',
  'no-price': 'buy.no-price',
};

function whyNotStarted(failure: CallFailure, words: DraftWords): string {
  const { text } = words;
  const { reason, status, problem = { type: reason } } = failure;
  if (reason === 'not-sold-online') return text('buy.not-sold');
  if (reason === 'not-as-shown') return text('buy.not-as-shown');
  if (status === 429) return '';
  return isUnknownOutcome(failure, false) ? text('buy.no-answer') : refusalInWords(problem, words).reason;
}
