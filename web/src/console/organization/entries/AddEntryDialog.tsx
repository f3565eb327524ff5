import { useId, useState } from 'react';
import type { Entitlements, Preview, Receipt } from '@charter/client';
import { usePreviewQuery } from '../../api';
import styles from '../../commands/Command.module.css';
import { CommandDialog } from '../../commands/CommandDialog';
import { newIdempotencyKey } from '../../commands/idempotency-key';
import { refusalInWords, refusedField } from '../../commands/refusal-words';
import { RefusalHelp } from '../plan/try/RefusalHelp';
import { TryMore } from '../plan/try/TryMore';
import { useCommand } from '../../commands/useCommand';
import { useShowsForm } from '../../commands/useShowsForm';
import { useSendWords } from '../../commands/useSendWords';
import { isUnknownOutcome } from '../../commands/unknown-outcome';
import { PRESENT } from '../../moment/page-moment';
import { useDrafting } from '../../drafting/drafting-context';
import { LimitSum } from '../../overview/Why';
import type { LimitedResource } from '../../overview/Limits';
import { TroubleBox } from '../../page-parts/TroubleBox';
import { useSettled } from '../../page-parts/useSettled';
import { isCallFailure } from '../../problem';
import { useWords } from '../../words';
import { BothHostnames } from '../lists/BothHostnames';

/** A list of hostnames: the command that adds an entry, and the limit of the list. */
export type HostnameList = Readonly<{
  resource: LimitedResource;
  command: 'AddSite' | 'AddQualityAssuranceDomain' | 'AddWebAnalyticsDomain';
  /** The message id of the dialog's title. */
  title: string;
}>;

type AddOf = Readonly<{
  id: string;
  list: HostnameList;
  entitlements: Entitlements;
  onClose: () => void;
  onAdded: (hostname: string, receipt: Receipt) => void;
}>;

/**
 * The dialog that adds a hostname to a list. While the person types, the dialog shows the hostname as the service would
 * store it. At the limit, the dialog explains the limit instead.
 */
export function AddEntryDialog({ id, list, entitlements, onClose, onAdded }: AddOf) {
  const { text, number } = useWords();
  const command = useCommand(id);
  const sendWords = useSendWords();
  const [hostname, setHostname] = useState('');
  const [name, setName] = useState('');
  const [hostnameId, nameId, storedId, noteId] = [useId(), useId(), useId(), useId()];
  const { isKnown, preview, problem, trouble, retry } = useHostnamePreview({ id, list, hostname });
  const limit = entitlements.limits[list.resource];
  const title = text(list.title);
  const wrongField = refusedField(command.outcome);
  const { isOpen: isDrafting } = useDrafting();
  const hasForm = useShowsForm(limit) || isDrafting; // an earlier line of the draft may raise the limit
  if (!hasForm)
    return (
      <CommandDialog {...{ title, onClose }}>
        <p>{text('entries.full', { used: number(limit.used), limit: number(limit.limit ?? 0) })}</p>
        <LimitSum limit={limit} />
        <p>
          <TryMore {...{ id, limit }} resource={list.resource} />
        </p>
      </CommandDialog>
    );
  const add = () => {
    const data = { hostname: hostname.trim(), ...(name.trim() && { name: name.trim() }) };
    command.runOrDraft({ type: list.command, data }, (receipt) => onAdded(data.hostname, receipt));
  };
  return (
    <CommandDialog
      {...{ title, command, onClose }}
      send={sendWords(text('entries.add.send'))}
      noteId={noteId}
      canSend={hostname.trim() !== '' && (isDrafting || isKnown || command.outcome.is !== 'ready')}
      onSend={add}
    >
      <label htmlFor={hostnameId}>{text('sites.hostname')}</label>
      <input
        id={hostnameId}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={wrongField === 'hostname' || (isKnown && problem !== undefined)}
        aria-describedby={`${storedId} ${noteId}`}
        value={hostname}
        onChange={({ target }) => {
          setHostname(target.value);
          command.reset();
        }}
      />
      <div id={storedId} role="status" className={styles['hint']}>
        {command.outcome.is === 'ready' && <StoredForm {...{ id, preview, problem }} resource={list.resource} />}
      </div>
      {trouble && <TroubleBox name={text('entries.check')} {...{ trouble, retry }} />}
      {list.command === 'AddSite' && (
        <>
          <label htmlFor={nameId}>{text('entries.name')}</label>
          <input
            id={nameId}
            type="text"
            autoComplete="off"
            value={name}
            aria-invalid={wrongField === 'name'}
            aria-describedby={noteId}
            onChange={({ target }) => {
              setName(target.value);
              command.reset();
            }}
          />
        </>
      )}
    </CommandDialog>
  );
}

type StoredOf = Readonly<{ id: string; list: HostnameList; hostname: string }>;

/**
 * The preview of the command that adds a hostname. `isKnown` says whether the preview is about the text that is in the
 * field now. `problem` says why the service would refuse the hostname, `trouble` why it could not check the hostname.
 */
function useHostnamePreview({ id, list: { command }, hostname }: StoredOf) {
  const [key] = useState(newIdempotencyKey);
  const settled = useSettled(hostname.trim());
  const commands = [{ type: command, data: { hostname: settled } }];
  const { currentData, error, isFetching, refetch } = usePreviewQuery(
    { id, commands, key, moment: PRESENT },
    { skip: settled === '' },
  );
  const isAnswered = settled !== '' && !isFetching && (currentData !== undefined || error !== undefined);
  const failure = isAnswered && isCallFailure(error) ? error : undefined;
  const trouble = failure && isUnknownOutcome(failure, true) ? failure : undefined;
  const problem = currentData?.refused?.problem ?? (trouble ? undefined : failure?.problem);
  return {
    isKnown: isAnswered && settled === hostname.trim(),
    preview: settled === '' ? undefined : currentData,
    problem: settled === '' ? undefined : problem,
    ...{ trouble, retry: refetch },
  };
}

type FormOf = Pick<ReturnType<typeof useHostnamePreview>, 'preview' | 'problem'> &
  Pick<HostnameList, 'resource'> &
  Pick<StoredOf, 'id'>;

/** Shows the hostname as the service would store it, or the reason why the service would refuse it. */
function StoredForm({ id, preview, problem, resource }: FormOf) {
  const words = useWords();
  const { text, number } = words;
  const { isOpen: isDrafting } = useDrafting();
  if (problem && isDrafting) return null; // an earlier line of the draft may remove the reason
  if (problem) {
    const { reason, help } = refusalInWords(problem, words);
    return (
      <>
        {reason} {help} <RefusalHelp {...{ id, problem }} />
      </>
    );
  }
  const stored = preview && storedEntry(preview);
  if (!stored) return null;
  const after = preview.limits[resource]?.after;
  const then = after && { used: number(after.used), limit: number(after.limit ?? 0) };
  return (
    <>
      {text('entries.stored')} <BothHostnames {...stored} />
      {then && after.limit !== null && <p>{text('entries.then', then)}</p>}
    </>
  );
}

type StoredHostname = Readonly<{ hostname: string; unicode: string }>;

/** The entry that the previewed command would add to the organization's document. */
function storedEntry({ state }: Preview): StoredHostname | undefined {
  const added = state.flatMap(({ op, value }) => (op === 'add' && isHostname(value) ? [value] : []));
  return added[0];
}

const isHostname = (value: unknown): value is StoredHostname =>
  typeof value === 'object' && value !== null && 'hostname' in value && 'unicode' in value;
