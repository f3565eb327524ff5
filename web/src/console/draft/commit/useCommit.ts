import type { Receipt } from '@charter/client';
import { useCallback, useContext, useEffect, useState } from 'react';
import { useChangeMutation } from '../../api';
import { isUnknownOutcome, isWithoutRight } from '../../commands/unknown-outcome';
import { LiveContext } from '../../live/live-context';
import { useConsoleConfig } from '../../page-config-context';
import { type CallFailure, isCallFailure } from '../../problem';
import type { DraftCommand } from '../address/draft-address';
import type { DatedPreview } from '../preview/useDatedPreview';
import { commitsOfTab, type CommittedEvents, type PendingCommit } from './commits-of-tab';

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

type CommitOf = Readonly<{
  id: string;
  /** The fragment of the draft. Each draft has its own commit. */
  hash: string;
  commands: readonly DraftCommand[];
  /** Runs if the commands would record other events than the preview showed. */
  onNotAsShown: () => void;
}>;

/** Commits a draft exactly as its preview shows it. Each press of the button causes at most one commit. */
export function useCommit({ id, hash, commands, onNotAsShown }: CommitOf) {
  const { account } = useConsoleConfig().facts;
  const place = { account, address: `${id}${hash}` };
  const { showNewest } = useContext(LiveContext);
  const [send] = useChangeMutation();
  const [kept, setKept] = useState({ hash, state: stateAtOpening(place) });
  const state = kept.hash === hash ? kept.state : stateAtOpening(place);
  if (kept.hash !== hash) setKept({ hash, state });

  const attemptOnce = useCallback(
    async (sending: Sending) => {
      const { sent } = sending;
      const { key, shown, revision } = sent;
      const ask = () => ({ commands, shown });
      const result = await send({ ...{ id, key, revision, ask }, method: 'POST', path: '/commands' });
      const next = stateAfter(result, sending);
      if (next.step !== 'unknown' && next.step !== 'never-known')
        commitsOfTab.settle({ account, address: `${id}${hash}` }, sent, eventsOf(next));
      if (next.step === 'done') void showNewest(next.receipt.revision);
      if (next.step === 'not-as-shown') onNotAsShown();
      setKept((current) => (current.hash === hash ? { hash, state: next } : current));
    },
    [account, commands, hash, id, onNotAsShown, send, showNewest],
  );
  useEffect(() => {
    if (state.step !== 'unknown') return;
    const timer = setTimeout(() => void attemptOnce(state), state.waitMs);
    return () => clearTimeout(timer);
  }, [attemptOnce, state]);

  const commit = (preview: DatedPreview & Readonly<{ shown: string }>, key: string) => {
    if (state.step === 'sending' || state.step === 'unknown' || state.step === 'done') return;
    const sent = { key, shown: preview.shown, revision: preview.revision };
    commitsOfTab.keep(place, sent);
    setKept({ hash, state: { step: 'sending' } });
    void attemptOnce({ sent, attempt: 0, before: preview });
  };
  const askAgain = () => {
    if (state.step === 'unknown') setKept({ hash, state: { ...state, waitMs: 0 } });
  };
  return { state, commit, askAgain };
}

function stateAtOpening(place: Parameters<typeof commitsOfTab.read>[0]): CommitState {
  const kept = commitsOfTab.read(place);
  if (!kept) return { step: 'not-sent' };
  if (!('key' in kept)) return { step: 'not-sent', earlier: kept };
  return { step: 'unknown', sent: kept, attempt: 1, before: undefined, waitMs: 0 };
}

/**
 * The events that the commit has recorded; undefined before the end of the commit, or if the commit has recorded no
 * event.
 */
function eventsOf(state: CommitState): CommittedEvents | undefined {
  if (state.step !== 'done' || state.receipt.events.length === 0) return undefined;
  const { events, revision } = state.receipt;
  return { first: revision - events.length + 1, last: revision };
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
