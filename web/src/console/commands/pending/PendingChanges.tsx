import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { draftIn } from '../../draft/address/draft-fragment';
import { commitsOfTab } from '../../draft/commit/commits-of-tab';
import { useDrafting } from '../../drafting/drafting-context';
import { useConsoleConfig } from '../../page-config-context';
import { WithWords } from '../../organization/later-words';
import { useWords } from '../../words';
import { CommandNote } from '../CommandNote';
import { DoneNote } from '../DoneNote';
import { releases } from './has-pending-changes';
import { type PendingChange, pendingChanges } from './pending-changes';
import { useCommand } from '../useCommand';

type Of = Readonly<{ id: string }>;

/**
 * The changes that a person began before this page opened, and whose outcome is open. For each change, the page repeats
 * the request and then says what happened, or says that it cannot repeat the request.
 */
export default function PendingChanges({ id }: Of) {
  const { account } = useConsoleConfig().facts;
  const { pathname, hash } = useLocation();
  /** The draft page itself repeats the request of its commit. */
  const shown = (pathname.endsWith('/draft') && draftIn(hash)) || '';
  const [changes, setChanges] = useState<readonly PendingChange[]>([]);
  useEffect(() => {
    const claim = () => {
      const claimed = pendingChanges.claim({ account, id }, shown);
      setChanges((before) => [...before.filter(({ draft }) => draft !== shown), ...claimed]);
    };
    claim();
    return releases.listen(claim);
  }, [account, id, shown]);
  return (
    <WithWords group={['commands', 'draft']}>
      {changes.map((change) =>
        change.isIncomplete ? (
          <Incomplete key={change.key} {...{ id, change }} />
        ) : (
          <Repeated key={change.key} {...{ id, change }} />
        ),
      )}
    </WithWords>
  );
}

type ChangeOf = Of & Readonly<{ change: PendingChange }>;

/** Says once that the page cannot send this change again. */
function Incomplete({ id, change }: ChangeOf) {
  const { text } = useWords();
  const { account } = useConsoleConfig().facts;
  useEffect(() => pendingChanges.settle({ account, id }, change.key), [account, change, id]);
  return <p role="alert">{text('pending.forgotten')}</p>;
}

/** A change whose request the page repeats until the outcome is known. */
function Repeated({ id, change }: ChangeOf) {
  const { text, list } = useWords();
  const { account } = useConsoleConfig().facts;
  const { forgetCommitted } = useDrafting();
  const { draft } = change;
  const command = useCommand(id);
  const { outcome, resume } = command;
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    resume(change);
  }, [change, resume]);
  useEffect(() => {
    if (draft === undefined || outcome.is !== 'done') return;
    forgetCommitted(draft);
    commitsOfTab.keep({ account, address: `${id}${draft}` }, outcome.receipt);
  }, [account, draft, forgetCommitted, id, outcome]);
  if (outcome.is === 'done') {
    const types = [...new Set(outcome.receipt.events.map(({ type }) => text(`event.${type}`)))];
    const said = text('pending.done', { count: types.length, events: list(types) });
    return <DoneNote id={id} result={{ said, receipt: outcome.receipt }} />;
  }
  return (
    <>
      <p>{text('pending.asking')}</p>
      <CommandNote command={command} />
      {draft !== undefined && outcome.is === 'refused' && (
        <p>
          <Link to={{ pathname: `/org/${id}/draft`, hash: draft }}>{text('drafting.open')}</Link>
        </p>
      )}
    </>
  );
}
