import { type ReactNode, type Ref, useCallback } from 'react';
import controlStyles from '../../page-parts/Controls.module.css';
import { useCopy } from '../../page-parts/useCopy';
import { useWords } from '../../words';
import { eventWords } from '../event-words';
import type { PageMoment } from '../page-moment';
import { useEvidenceLink } from '../useEvidenceLink';
import { InForceSlider } from './InForceSlider';
import { MomentField, type Question } from './MomentField';
import styles from './TimeBar.module.css';
import { HistoryPicture } from './HistoryPicture';

/** The event that the bar shows. */
export type Described = Readonly<{
  type: string;
  at: string;
  actor: Readonly<{ kind: string; id: string }>;
}>;

type OpenBarOf = Readonly<{
  id: string;
  head: number;
  revision: number;
  moment: PageMoment;
  past: boolean;
  described: Described | undefined;
  question: Question;
  field: Ref<HTMLInputElement>;
  isCompared: boolean;
  compare: () => void;
  isPlaying: boolean;
  play: () => void;
  ask: (question: Question) => void;
  show: (moment: PageMoment, how?: { replace?: boolean }) => void;
  chooseRevision: (revision: number) => void;
  step: (by: 1 | -1) => void;
  toPresent: () => void;
  scrub: (revision: number) => void;
}>;

/** The controls of the open bar: the field for a moment, the slider, and the picture of the whole history. */
export function OpenBar(bar: OpenBarOf) {
  const words = useWords();
  const { text, number } = words;
  const { id, head, revision, moment, past, described, question, show, step } = bar;
  const toValid = useCallback((valid: string) => show({ ...moment, valid }, { replace: true }), [moment, show]);
  return (
    <div className={styles['open']}>
      <MomentField
        {...{ ref: bar.field, moment, head, revision, question }}
        onQuestion={bar.ask}
        onChoose={(next) => show(next)}
      />
      <div className={styles['slide']}>
        <BarButton disabled={revision <= 0} onPress={() => step(-1)}>
          {text('moment.previous')}
        </BarButton>
        {moment.valid !== undefined ? (
          <InForceSlider id={id} valid={moment.valid} onChoose={toValid} />
        ) : (
          <input
            type="range"
            min={0}
            max={head}
            value={revision}
            aria-label={text('moment.slider')}
            aria-valuetext={text('moment.slider.at', {
              revision: number(revision),
              last: number(head),
              event: described ? eventWords(described, words).event : '',
              moment: described ? words.utc(described.at) : '',
            })}
            onKeyDown={(event) => {
              if (event.key !== ' ') return;
              event.preventDefault();
              bar.play();
            }}
            onChange={({ target: { value } }) => (Number(value) === head ? bar.toPresent() : bar.scrub(Number(value)))}
          />
        )}
        <BarButton disabled={!past} onPress={() => step(1)}>
          {text('moment.next')}
        </BarButton>
        {moment.valid === undefined && (
          <BarButton disabled={!past} onPress={bar.play}>
            {text(bar.isPlaying ? 'moment.pause' : 'moment.play')}
          </BarButton>
        )}
        <label>
          <input type="checkbox" checked={bar.isCompared} onChange={bar.compare} disabled={!past} />{' '}
          {text('moment.compare')}
        </label>
        <CopyLink id={id} />
      </div>
      <HistoryPicture {...{ id, revision }} onChoose={bar.chooseRevision} hasSlider={moment.valid !== undefined} />
      <p className={styles['hint']}>{text('moment.names-of-today')}</p>
    </div>
  );
}

type ButtonOf = Readonly<{ disabled: boolean; onPress: () => void; children: ReactNode }>;

const BarButton = ({ disabled, onPress, children }: ButtonOf) => (
  <button type="button" className={controlStyles['button']} disabled={disabled} onClick={onPress}>
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
