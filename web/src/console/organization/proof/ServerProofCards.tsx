import type { Verification } from '@charter/client';
import { useLingui } from '@lingui/react';
import type { ReactNode } from 'react';
import styles from '../../../proof/Proof.module.css';
import { ProofProgress } from '../../../proof/ProofProgress';
import { useTimelineQuery } from '../../api';
import { useConsoleConfig } from '../../page-config-context';
import cardStyles from '../../page-parts/Card.module.css';
import controlStyles from '../../page-parts/Controls.module.css';
import { DisappearingButton } from '../../page-parts/DisappearingButton';
import { MOMENT, Sentence } from '../../page-parts/Moment';
import tagStyles from '../../page-parts/Tag.module.css';
import { Waits } from '../../page-parts/Region';
import { TroubleBox } from '../../page-parts/TroubleBox';
import { useWords } from '../../words';
import { durationInWords } from './duration-words';
import { SignedNoteBox } from './SignedNoteBox';
import { type ServerProof, useServerProof } from './useServerProof';

type State = 'on' | 'off' | 'bad' | 'warn';

/** A card for one proof: its name, its state in one word, its result, and its button. */
export function ProofCard({
  name,
  state,
  word,
  children,
}: Readonly<{ name: string; state: State; word: string; children: ReactNode }>) {
  return (
    <section className={cardStyles['card']} aria-label={name}>
      <h2>
        {name}{' '}
        <span className={tagStyles['tag']} data-state={state}>
          {word}
        </span>
      </h2>
      {children}
    </section>
  );
}

/** The three proofs that the service makes. One request makes all three proofs. */
export function ServerProofCards({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const { proof, start, stop } = useServerProof(id);
  const verdict = proof.state === 'done' ? proof.verdict : undefined;
  const isRunning = proof.state === 'running';
  const query = useTimelineQuery({ id, axis: 'event' });
  const { data: timeline } = query;
  const known = timeline && { signed: timeline.signed, events: timeline.last.revision + 1 };
  const signed = verdict ? 'signed' in verdict && verdict : known;
  const button = (
    <DisappearingButton isBusy={isRunning} onClick={() => start()}>
      {text('server.start')}
    </DisappearingButton>
  );
  return (
    <>
      <ProofCard name={text('chain.title')} {...chainState(proof, text)}>
        <p className={cardStyles['caption']}>{text('chain.about')}</p>
        {proof.state === 'running' && (
          <ProofProgress
            name={text('chain.title')}
            done={proof.progress.done}
            {...(proof.progress.total > 0 && { total: proof.progress.total })}
            elapsed={proof.elapsed}
          />
        )}
        <div role="status">{verdict && <ChainVerdict verdict={verdict} />}</div>
        {proof.state === 'failed' && <TroubleBox name={text('chain.title')} trouble={proof.failure} retry={start} />}
        <p className={styles['buttons']}>
          {isRunning ? (
            <button type="button" className={controlStyles['button']} onClick={stop}>
              {text('proof.stop')}
            </button>
          ) : (
            proof.state !== 'failed' && button
          )}
        </p>
      </ProofCard>
      <ProofCard name={text('signature.title')} {...signatureState(verdict, text)}>
        <p className={cardStyles['caption']}>{text('signature.about')}</p>
        <Waits {...query} />
        {signed && <SignatureVerdict {...signed} />}
        <SignedNoteBox id={id} />
      </ProofCard>
      <ProofCard name={text('read-model.title')} {...readModelState(verdict, text)}>
        <p className={cardStyles['caption']}>{text('read-model.about')}</p>
        <div role="status">
          {verdict && 'readModel' in verdict && <ReadModelVerdict readModel={verdict.readModel} />}
        </div>
        <p className={styles['buttons']}>{button}</p>
      </ProofCard>
    </>
  );
}

type Text = ReturnType<typeof useWords>['text'];

/** Whether the chain of hashes has no flaw. The service compares the read model only after it verified the chain. */
const isWhole = (verdict: Verification) => 'readModel' in verdict;

function chainState(proof: ServerProof, text: Text): { state: State; word: string } {
  if (proof.state === 'done')
    return isWhole(proof.verdict)
      ? { state: 'on', word: text('state.verified') }
      : { state: 'bad', word: text('state.broken') };
  if (proof.state === 'running') return { state: 'off', word: text('state.running') };
  if (proof.state === 'stopped') return { state: 'off', word: text('state.stopped') };
  return { state: 'off', word: text('state.not-checked') };
}

function signatureState(verdict: Verification | undefined, text: Text): { state: State; word: string } {
  if (!verdict || !('signed' in verdict)) return { state: 'off', word: text('state.not-checked') };
  if (!verdict.signed) return { state: 'off', word: text('state.not-signed') };
  return verdict.signed.events < verdict.events
    ? { state: 'on', word: text('state.signed-partly') }
    : { state: 'on', word: text('state.signed') };
}

function readModelState(verdict: Verification | undefined, text: Text): { state: State; word: string } {
  if (!verdict || !('readModel' in verdict) || !verdict.readModel)
    return { state: 'off', word: text('state.not-checked') };
  return verdict.readModel.ok
    ? { state: 'on', word: text('state.equal') }
    : { state: 'bad', word: text('state.differs') };
}

function ChainVerdict({ verdict }: Readonly<{ verdict: Verification }>) {
  const { text, number } = useWords();
  if (!('events' in verdict)) {
    const { at, reason } = verdict;
    return <p>{at === null ? reason : text('chain.broken', { revision: number(at), reason })}</p>;
  }
  return (
    <p className={styles['wrapped']}>
      {text('chain.whole', { events: number(verdict.events) })} <code>{verdict.head}</code>
    </p>
  );
}

type SignedOf = Readonly<{ signed: Readonly<{ at: string; events: number }> | null; events: number }>;

function SignatureVerdict({ signed, events }: SignedOf) {
  const { text, number } = useWords();
  const { i18n } = useLingui();
  const seconds = Number(useConsoleConfig().facts.checkpointEvery);
  if (!signed && seconds > 0)
    return <p>{text('signature.none.within', { duration: durationInWords(seconds, i18n.locale) })}</p>;
  if (!signed) return <p>{text('signature.none')}</p>;
  const rest = events - signed.events;
  return (
    <p>
      <Sentence of={text('signature.at', { at: MOMENT, events: number(signed.events) })} at={signed.at} />{' '}
      {rest > 0 ? text('signature.rest', { count: rest }) : text('signature.all')}
    </p>
  );
}

type ReadModel = Extract<Verification, { readModel: unknown }>['readModel'];

function ReadModelVerdict({ readModel }: Readonly<{ readModel: ReadModel }>) {
  const { text, number } = useWords();
  if (!readModel) return <p>{text('read-model.none')}</p>;
  if (readModel.ok) return <p>{text('read-model.equal', { revision: number(readModel.revision) })}</p>;
  return <p>{text('read-model.differs', { reason: readModel.reason })}</p>;
}
