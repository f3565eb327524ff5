import { useEffect } from 'react';
import { useDrafting } from '../drafting/drafting-context';
import { isPastMoment } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';
import { Skeleton } from '../page-parts/Region';
import { RefusalOrTrouble } from '../commands/RefusalOrTrouble';
import { type CallFailure } from '../problem';
import { announcedPreview } from './preview/announced-preview';
import { CommitCard } from './commit/CommitCard';
import styles from './Draft.module.css';
import type { DraftCommand } from './address/draft-address';
import { DraftLines } from './DraftLines';
import { useIntentKey } from '../commands/idempotency-key';
import { PreviewResult } from './preview/PreviewResult';
import { useDatedPreview } from './preview/useDatedPreview';
import { SincePreview } from './commit/SincePreview';
import { useCommit } from './commit/useCommit';
import { useDraftWords } from './words/useDraftWords';

type DraftOf = Readonly<{
  id: string;
  hash: string;
  commands: readonly DraftCommand[];
  change: (commands: readonly DraftCommand[]) => Promise<void>;
}>;

const MALFORMED = 400;

/**
 * The lines of a draft, their effect, and the commit. While the page shows the past, a person cannot commit the draft.
 */
export function Draft({ id, hash, commands, change }: DraftOf) {
  const words = useDraftWords(id);
  const { text } = words;
  const { moment } = usePageMoment();
  const { key, renew } = useIntentKey(hash);
  const { state, isBlocked, commit, askAgain } = useCommit({ id, hash, commands, onNotAsShown: renew });
  const { forgetCommitted } = useDrafting();
  const isDone = state.step === 'done';
  useEffect(() => {
    if (isDone) forgetCommitted(hash);
  }, [forgetCommitted, hash, isDone]);
  const query = useDatedPreview({ id, commands, key, moment }, { skip: isDone });
  const { data, currentData, isFetching, refetch } = query;
  const failure = query.error as CallFailure | undefined;
  const preview = failure === undefined || isFetching ? data : currentData;
  const isPast = isPastMoment(moment);
  const isEditable = state.step !== 'sending' && state.step !== 'unknown' && state.step !== 'done';
  const before = state.step === 'not-as-shown' ? state.before : undefined;
  const errors = !isFetching && failure?.status === MALFORMED ? (failure.problem?.errors ?? []) : [];
  const isMalformed = errors.length > 0;
  return (
    <>
      <DraftLines
        {...{ id, commands, words, change, isEditable, errors }}
        preview={isFetching ? undefined : currentData}
      />
      <p role="status" className="unseen">
        {currentData && !isFetching && state.step !== 'done' && announcedPreview(currentData, words)}
      </p>
      {state.step === 'not-as-shown' && (
        <SincePreview
          {...{ id, words, before }}
          revision={state.sent.revision}
          after={isFetching ? undefined : currentData}
        />
      )}
      <div className={styles['columns']} data-columns={before ? 2 : 1}>
        {before && (
          <section aria-labelledby="preview-before">
            <h2 id="preview-before">{text('draft.shown-before')}</h2>
            <PreviewResult preview={before} words={words} isOld />
          </section>
        )}
        {state.step !== 'done' && !isMalformed && (
          <section aria-labelledby="preview" aria-busy={isFetching} className={styles['preview']}>
            <h2 id="preview">{text(before ? 'draft.shown-now' : 'draft.preview')}</h2>
            {failure !== undefined && !isFetching && (
              <RefusalOrTrouble name={text('draft.preview')} failure={failure} retry={refetch} />
            )}
            {preview ? (
              <PreviewResult preview={preview} words={words} />
            ) : (
              isFetching && <Skeleton name={text('draft.preview')} rows={6} />
            )}
          </section>
        )}
      </div>
      <CommitCard
        {...{ id, state, words, isPast }}
        preview={isFetching || isBlocked ? undefined : currentData}
        onCommit={(shown) => commit(shown, key)}
        onAskAgain={askAgain}
      />
    </>
  );
}
