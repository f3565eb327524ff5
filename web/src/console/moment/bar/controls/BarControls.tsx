import type { ReactNode } from 'react';
import controlStyles from '../../../page-parts/Controls.module.css';
import { useCopy } from '../../../page-parts/useCopy';
import { useWords } from '../../../words';
import { useEvidenceLink } from '../../useEvidenceLink';
import styles from './BarControls.module.css';
import { Toolbar } from './Toolbar';
import { type Pace, paces } from './usePlay';

/** The other side of the comparison: the present, another moment, or none. */
export type Side = 'now' | 'moment' | 'none';

export type BarControlsOf = Readonly<{
  id: string;
  revision: number;
  past: boolean;
  /** Moves by a number of events. */
  move: (by: number) => void;
  /** Goes to the previous or next event that changed the page; undefined if each event can change the page. */
  stepOfPage: ((by: 1 | -1) => void) | undefined;
  /** Undefined for a moment in force, which has no next event. */
  player: Readonly<{ isPlaying: boolean; play: () => void; pace: Pace; setPace: (pace: Pace) => void }> | undefined;
  side: Side;
  chooseSide: (side: Side) => void;
}>;

/** The buttons of the open time bar. The buttons are one tab stop. */
export function BarControls({ id, revision, past, move, stepOfPage, player, side, chooseSide }: BarControlsOf) {
  const { text } = useWords();
  return (
    <Toolbar label={text('moment.controls')} className={styles['controls']}>
      <ControlButton isOff={revision <= 0} onPress={() => move(-1)}>
        {text('moment.previous')}
      </ControlButton>
      <ControlButton isOff={!past} onPress={() => move(1)}>
        {text('moment.next')}
      </ControlButton>
      {stepOfPage && (
        <>
          <ControlButton isOff={revision <= 0} onPress={() => stepOfPage(-1)}>
            {text('moment.previous-of-page')}
          </ControlButton>
          <ControlButton isOff={!past} onPress={() => stepOfPage(1)}>
            {text('moment.next-of-page')}
          </ControlButton>
        </>
      )}
      {player && (
        <>
          <ControlButton isOff={!past} onPress={player.play}>
            {text(player.isPlaying ? 'moment.pause' : 'moment.play')}
          </ControlButton>
          <label>
            {text('moment.pace')}{' '}
            <select value={player.pace} onChange={({ target: { value } }) => player.setPace(value as Pace)}>
              {paces.map((pace) => (
                <option key={pace} value={pace}>
                  {text(paceWords[pace])}
                </option>
              ))}
            </select>
          </label>
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

type ButtonOf = Readonly<{ isOff: boolean; onPress: () => void; children: ReactNode }>;

/** A button that keeps the focus even while it has no effect, so that the arrow keys still work. */
const ControlButton = ({ isOff, onPress, children }: ButtonOf) => (
  <button
    type="button"
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
