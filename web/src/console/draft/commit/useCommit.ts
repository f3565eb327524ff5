import type { Receipt } from '@charter/client';
import { useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useChangeMutation } from '../../api';
import { outcomes } from '../../commands/pending/has-pending-changes';
import { type PendingCommit, pendingChanges } from '../../commands/pending/pending-changes';
import { isUnknownOutcome, isWithoutRight } from '../../commands/unknown-outcome';
import { LiveContext } from '../../live/live-context';
import { useConsoleConfig } from '../../page-config-context';
import { type CallFailure, isCallFailure } from '../../problem';
import type { DraftCommand } from '../address/draft-address';
import type { DatedPreview } from '../preview/useDatedPreview';
import { commitsOfTab, type CommittedEvents } from './commits-of-tab';

type Sending = Readonly<{
  sent: PendingCommit;
  attempt: number;
  /** The preview that the person committed; undefined after a reload. */
  before: DatedPreview | undefined;
}>;

export type CommitState =
  | Readonly<{
      step: 'not-sent';
      /** The events of an earlier commit of the same draft in this tab. */ earlier?: CommittedEvents;
    }>
  | Readonly<{ step: 'sending' }>
  /**
   * The service did not answer, or its answer does not say whether the commands were executed. The page repeats the
   * request with the same `Idempotency-Key`.
   */
  | (Readonly<{ step: 'unknown'; waitMs: number }> & Sending)
  | Readonly<{ step: 'done'; receipt: Receipt }>
  /** The commands would record other events than the preview showed. Nothing was executed. */
  | Readonly<{ step: 'not-as-shown'; sent: PendingCommit; before: DatedPreview | undefined }>
  /** The outcome was unknown, and then the person lost the right to learn it. */
  | Readonly<{ step: 'never-known' }>
  | Readonly<{ step: 'refused'; failure: CallFailure }>;

const FIRST_WAIT_MS = 2_000;
const WAIT_MAX_MS = 30_000;
const COMMIT = { method: 'POST', path: '/commands' } as const;

type CommitOf = Readonly<{
  id: string;
  /** The fragment of the draft. */
  hash: string;
  commands: readonly DraftCommand[];
  /** Runs if the commands would record other events than the preview showed. */
  onNotAsShown: () => void;
}>;

/**
 * Commits a draft exactly as its preview shows it. Each press of the button causes at most one commit. While the
 * outcome of another draft's commit is unknown, `isBlocked` is true, and the person cannot commit this draft. If the
 * person opens another address while the outcome is unknown, `PendingChanges` repeats the request.
 */
export function useCommit({ id, hash, commands, onNotAsShown }: CommitOf) {
  const { account } = useConsoleConfig().facts;
  const { showNewest } = useContext(LiveContext);
  const [send] = useChangeMutation();
  const [kept, setKept] = useState(() => ({ hash, state: stateAtOpening(account, id, hash) }));
  const state = kept.hash === hash ? kept.state : stateAtOpening(account, id, hash);
  if (kept.hash !== hash) setKept({ hash, state });
  const pending = useSyncExternalStore(outcomes.listen, () => pendingChanges.commitIn({ account, id })?.draft);
  const isBlocked = pending !== undefined && pending !== hash;
  /** The `Idempotency-Key` of the commit that this page repeats. */
  const open = useRef<string>(undefined);
  useEffect(
    () => () => {
      if (open.current !== undefined) pendingChanges.release(open.current);
      open.current = undefined;
    },
    [hash],
  );

  const attemptOnce = useCallback(
    async (sending: Sending) => {
      const { key, revision, body } = sending.sent;
      open.current = key;
      pendingChanges.hold(key);
      const result = await send({ ...COMMIT, id, key, revision, ask: () => body });
      if (open.current !== key) return; // `PendingChanges` repeats the request
      const next = stateAfter(result, sending);
      if (next.step !== 'unknown' && next.step !== 'never-known') {
        open.current = undefined;
        pendingChanges.settle({ account, id }, key);
      }
      if (next.step === 'done') {
        commitsOfTab.keep({ account, address: `${id}${hash}` }, next.receipt);
        void showNewest(next.receipt.revision);
      }
      if (next.step === 'not-as-shown') onNotAsShown();
      setKept((current) => (current.hash === hash ? { hash, state: next } : current));
    },
    [account, hash, id, onNotAsShown, send, showNewest],
  );
  useEffect(() => {
    if (state.step !== 'unknown') return;
    const timer = setTimeout(() => void attemptOnce(state), state.waitMs);
    return () => clearTimeout(timer);
  }, [attemptOnce, state]);

  const commit = (preview: DatedPreview & Readonly<{ shown: string }>, key: string) => {
    if (isBlocked || state.step === 'sending' || state.step === 'unknown' || state.step === 'done') return;
    const sent = { key, revision: preview.revision, body: { commands, shown: preview.shown }, draft: hash };
    pendingChanges.begin({ account, id }, COMMIT, sent);
    setKept({ hash, state: { step: 'sending' } });
    void attemptOnce({ sent, attempt: 0, before: preview });
  };
  const askAgain = () => {
    if (state.step === 'unknown') setKept({ hash, state: { ...state, waitMs: 0 } });
  };
  return { state, isBlocked, commit, askAgain };
}

function stateAtOpening(account: string, id: string, draft: string): CommitState {
  const sent = pendingChanges.commitIn({ account, id });
  if (sent?.draft === draft) return { step: 'unknown', sent, attempt: 1, before: undefined, waitMs: 0 };
  const earlier = commitsOfTab.read({ account, address: `${id}${draft}` });
  return { step: 'not-sent', ...(earlier && { earlier }) };
}

function stateAfter(
  { data, error }: Readonly<{ data?: Partial<Receipt> | null | undefined; error?: unknown }>,
  { sent, attempt, before }: Sending,
): CommitState {
  if (data) return { step: 'done', receipt: data as Receipt }; // the route `commands` answers with a whole receipt
  const failure = isCallFailure(error) ? error : { status: 0, reason: 'unreachable', request: '', retryAfter: null };
  if (failure.reason === 'not-as-shown') return { step: 'not-as-shown', sent, before };
  if (attempt > 0 && isWithoutRight(failure)) return { step: 'never-known' };
  if (!isUnknownOutcome(failure, attempt > 0)) return { step: 'refused', failure };
  const waitMs =
    failure.retryAfter === null ? Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** attempt) : failure.retryAfter * 1_000;
  return { step: 'unknown', sent, attempt: attempt + 1, before, waitMs };
}
