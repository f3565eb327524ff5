import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useIntentKey } from '../commands/idempotency-key';
import { DRAFT_COMMANDS_MAX, type DraftCommand } from '../draft/address/draft-address';
import { DraftLines } from '../draft/DraftLines';
import { announcedPreview } from '../draft/preview/announced-preview';
import { PreviewResult } from '../draft/preview/PreviewResult';
import { useDatedPreview } from '../draft/preview/useDatedPreview';
import { useDraft } from '../draft/useDraft';
import { useDraftWords } from '../draft/words/useDraftWords';
import { PRESENT } from '../moment/page-moment';
import { DisappearingButton } from '../page-parts/DisappearingButton';
import { TroubleBox } from '../page-parts/TroubleBox';
import type { CallFailure } from '../problem';
import styles from './Drafting.module.css';
import { useDrafting } from './drafting-context';

/**
 * The panel that shows the open draft beside a page: the commands, the changes that the commands would make, and a link
 * to the draft page.
 */
export default function DraftPanel({ id }: Readonly<{ id: string }>) {
  const words = useDraftWords(id);
  const { text, number } = words;
  const { stop } = useDrafting();
  const { read, change } = useDraft(id);
  const commands = read && 'commands' in read.reading ? read.reading.commands : [];
  useEffect(() => {
    // On a narrow screen, a new line would make the panel cover the control with which the person added the line.
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [commands.length]);
  if (!read) return null;
  const { hash, reading } = read;
  return (
    <aside className={styles['panel']} aria-labelledby="drafting">
      <h2 id="drafting">{text('draft.page')}</h2>
      {'flaw' in reading &&
        (reading.flaw === 'none' ? (
          <p role="status">{text('drafting.begun')}</p>
        ) : (
          <p role="alert">{text(`draft.${reading.flaw}`)}</p>
        ))}
      {commands.length > 0 && (
        <>
          <Lines {...{ id, hash, commands, change, words }} />
          <p className={styles['room']}>
            {text('drafting.room', { count: number(commands.length), most: number(DRAFT_COMMANDS_MAX) })}
          </p>
        </>
      )}
      <p className={styles['acts']}>
        {commands.length > 0 && (
          <Link className={styles['open']} to={{ pathname: `/org/${id}/draft`, hash }}>
            {text('drafting.open')}
          </Link>
        )}
        <DisappearingButton onClick={stop}>{text('drafting.stop')}</DisappearingButton>
      </p>
    </aside>
  );
}

const MALFORMED = 400;

type LinesOf = Readonly<{
  id: string;
  hash: string;
  commands: readonly DraftCommand[];
  change: ReturnType<typeof useDraft>['change'];
  words: ReturnType<typeof useDraftWords>;
}>;

/**
 * The commands of the draft, and the changes that all commands together would make. A command that the service would
 * refuse has a reason.
 */
function Lines({ id, hash, commands, change, words }: LinesOf) {
  const { text } = words;
  const { key } = useIntentKey(hash);
  const query = useDatedPreview({ id, commands, key, moment: PRESENT });
  const { data, currentData, isFetching, refetch } = query;
  const failure = isFetching ? undefined : (query.error as CallFailure | undefined);
  const preview = isFetching ? undefined : currentData;
  return (
    <>
      <DraftLines
        {...{ id, commands, change, words, preview }}
        errors={failure?.status === MALFORMED ? (failure.problem?.errors ?? []) : []}
        isEditable
      />
      {failure !== undefined && failure.status !== MALFORMED && (
        <TroubleBox name={text('draft.preview')} trouble={failure} retry={refetch} />
      )}
      <p role="status">{preview && announcedPreview(preview, words)}</p>
      {data && failure === undefined && (
        <details aria-busy={isFetching}>
          <summary>{text('drafting.effect')}</summary>
          <PreviewResult preview={data} words={words} isOld={isFetching} />
        </details>
      )}
    </>
  );
}
