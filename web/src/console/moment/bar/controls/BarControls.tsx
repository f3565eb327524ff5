import type { ReactNode } from 'react';
import controlStyles from '../../../page-parts/Controls.module.css';
import { useCopy } from '../../../page-parts/useCopy';
import { useWords } from '../../../words';
import { useEvidenceLink } from '../../useEvidenceLink';
import styles from './BarControls.module.css';
import { Toolbar } from './Toolbar';
import { type Pace, paces } from './usePlay';

/** With what the page is compared: with the present, with another moment, or with nothing. */
export type Side = 'now' | 'moment' | 'none';

export type BarControlsOf = Readonly<{
  id: string;
  revision: number;
  past: boolean;
  /** Moves the page by a number of events. */
  move: (by: number) => void;
  /** Goes to the previous or next event that changed the page; undefined if each event can change the page. */
  stepOfPage: ((by: 1 | -1) => void) | undefined;
  /** Undefined while the page shows a moment in force, from which no next event follows. */
  player: Readonly<{ isPlaying: boolean; play: () => void; pace: Pace; setPace: (pace: Pace) => void }> | undefined;
  side: Side;
  chooseSide: (side: Side) => void;
}>;

/** The buttons of the open time bar. The buttons are one tab stop. */
export function BarControls({ id, revision, past, move, stepOfPage, player, side, chooseSide }: BarControlsOf) {
  const { text } = useWords();
  return (
    <Toolbar label={text('moment.controls')} className={styles['controls']}>
      <Steps names={['moment.previous', 'moment.next']} mayGo={[revision > 0, past]} onStep={(by) => move(by)} />
      {stepOfPage && (
        <Steps
          names={['moment.previous-of-page', 'moment.next-of-page']}
          mayGo={[revision > 0, past]}
          onStep={stepOfPage}
        >
          <span aria-hidden="true">{text('moment.this-page')}</span>
        </Steps>
      )}
      {player && (
        <>
          <ControlButton isOff={!past} onPress={player.play}>
            {text(player.isPlaying ? 'moment.pause' : 'moment.play')}
          </ControlButton>
          <select
            aria-label={text('moment.pace')}
            value={player.pace}
            onChange={({ target: { value } }) => player.setPace(value as Pace)}
          >
            {paces.map((pace) => (
              <option key={pace} value={pace}>
                {text(paceWords[pace])}
              </option>
            ))}
          </select>
        </>
      )}
      <label>
        {text('moment.vs')}{' '}
        <select value={side} onChange={({ target: { value } }) => chooseSide(value as Side)}>
          {(['now', 'moment', 'none'] as const).map((choice) => (
            <option key={choice} value={choice}>
              {text(sideWords[choice])}
            </option>
          ))}
        </select>
      </label>
      <CopyLink id={id} />
    </Toolbar>
  );
}

const paceWords: Readonly<Record<Pace, string>> = { even: 'moment.pace.even', compressed: 'moment.pace.compressed' };
const sideWords: Readonly<Record<Side, string>> = {
  now: 'moment.vs.now',
  moment: 'moment.vs.moment',
  none: 'moment.vs.none',
};

type StepsOf = Readonly<{
  /** The message ids of the two buttons: the step towards the past, and the step towards the present. */
  names: readonly [string, string];
  mayGo: readonly [boolean, boolean];
  onStep: (by: 1 | -1) => void;
  children?: ReactNode;
}>;

/** Two buttons with arrows for a step back and a step forward, and between them the name of these steps. */
function Steps({ names: [back, forward], mayGo: [mayGoBack, mayGoForward], onStep, children }: StepsOf) {
  const { text } = useWords();
  return (
    <span className={styles['steps']}>
      <ControlButton isOff={!mayGoBack} onPress={() => onStep(-1)} title={text(back)}>
        <span aria-hidden="true">‹</span>
        <span className="unseen">{text(back)}</span>
      </ControlButton>
      {children}
      <ControlButton isOff={!mayGoForward} onPress={() => onStep(1)} title={text(forward)}>
        <span aria-hidden="true">›</span>
        <span className="unseen">{text(forward)}</span>
      </ControlButton>
    </span>
  );
}

type ButtonOf = Readonly<{ title?: string; isOff: boolean; onPress: () => void; children: ReactNode }>;

/**
 * A button that keeps the focus even while it has no effect. From a button without effect, the arrow keys can still
 * move the focus to other buttons.
 */
const ControlButton = ({ title, isOff, onPress, children }: ButtonOf) => (
  <button
    type="button"
    title={title}
    className={controlStyles['button']}
    aria-disabled={isOff}
    onClick={() => {
      if (!isOff) onPress();
    }}
  >
    {children}
  </button>
);

function CopyLink({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const { copied, copy } = useCopy(useEvidenceLink(id));
  return (
    <>
      <button type="button" className={controlStyles['button']} onClick={copy}>
        {text('moment.copy-link')}
      </button>
      <span role="status" className="unseen">
        {copied && text('copied')}
      </span>
    </>
  );
}
