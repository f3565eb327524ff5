import type { Receipt } from '@charter/client';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type OrganizationChange, useChangeMutation } from '../api';
import type { DraftFlaw } from '../draft/address/read-draft';
import type { DraftCommand } from '../draft/address/draft-address';
import { useDrafting } from '../drafting/drafting-context';
import { LiveContext } from '../live/live-context';
import { useConsoleConfig } from '../page-config-context';
import { type CallFailure, isCallFailure } from '../problem';
import { newIdempotencyKey } from './idempotency-key';
import { type DirectCommand, requestOf } from './own-routes';
import { type PendingChange, pendingChanges } from './pending/pending-changes';
import { isUnknownOutcome, isWithoutRight } from './unknown-outcome';

/** The state of a change that a person has begun with a button. */
export type CommandOutcome =
  | Readonly<{ is: 'ready' | 'running' }>
  /** The page got no answer, or an answer that leaves open whether the service executed the change. */
  | Readonly<{ is: 'unknown'; failure: CallFailure }>
  /** The outcome was unknown, and then the person lost the right to learn it. */
  | Readonly<{ is: 'never-known' }>
  | Readonly<{ is: 'refused'; failure: CallFailure }>
  /** Nothing was executed, because these events were recorded after the revision that the person saw. */
  | Readonly<{ is: 'overtaken'; from: number; to: number }>
  /** The draft now ends with the commands of the change. Nothing was executed. */
  | Readonly<{ is: 'drafted' }>
  /**
   * The draft cannot contain the commands of the change, or the browser could not load the script of drafts. Nothing
   * was executed.
   */
  | Readonly<{ is: 'not-drafted'; flaw: DraftFlaw | 'not-loaded' }>
  | Readonly<{ is: 'done'; receipt: Receipt }>;

/**
 * The change that one press of a button began. Each repetition of its request has the same `Idempotency-Key` and the
 * same body.
 */
type CommandIntent = Readonly<{
  change: OrganizationChange;
  key: string;
  /** The revision that the person saw. */
  revision: number | undefined;
  onDone: ((receipt: Receipt) => void) | undefined;
}>;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const READY: CommandOutcome = { is: 'ready' };

/**
 * Executes one change of an organization at a time. While the outcome is unknown, the hook repeats the request with the
 * same `Idempotency-Key`, so that the service executes the change at most once. A press during that time begins no
 * second change. After another person's change, the page shows the newest state, and the person decides again.
 */
export function useCommand(id: string) {
  const { account } = useConsoleConfig().facts;
  const { seen, showNewest } = useContext(LiveContext);
  const [send] = useChangeMutation();
  const { isOpen: isDrafting, add } = useDrafting();
  const [outcome, setOutcome] = useState<CommandOutcome>(READY);
  const current = useRef<CommandIntent>(undefined);
  const isAdding = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const attempt = useCallback(
    async (intent: CommandIntent, repeats: number): Promise<void> => {
      clearTimeout(timer.current);
      const { change, key, revision, onDone } = intent;
      const { data: answer, error } = await send({ id, ...change, key, revision });
      if (current.current !== intent) return;
      if (answer !== undefined) {
        current.current = undefined;
        const receipt = { revision: revision ?? 0, events: [], ...answer };
        pendingChanges.settle({ account, id }, key);
        setOutcome({ is: 'done', receipt });
        void showNewest(answer?.revision);
        onDone?.(receipt);
        return;
      }
      const failure = isCallFailure(error) ? error : noAnswer;
      if (isUnknownOutcome(failure, repeats > 0)) {
        setOutcome({ is: 'unknown', failure });
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** repeats, LONGEST_PAUSE_MS);
        const wait = failure.retryAfter === null ? pause : failure.retryAfter * 1_000;
        timer.current = setTimeout(() => void attempt(intent, repeats + 1), wait);
        return;
      }
      current.current = undefined;
      pendingChanges.settle({ account, id }, key);
      if (repeats > 0 && isWithoutRight(failure)) {
        setOutcome({ is: 'never-known' });
        return;
      }
      const newest = revisionIn(failure);
      if (failure.reason === 'stale' && typeof newest === 'number') {
        setOutcome({ is: 'overtaken', from: (revision ?? newest - 1) + 1, to: newest });
        void showNewest(newest);
      } else setOutcome({ is: 'refused', failure });
    },
    [account, id, send, showNewest],
  );

  const run = useCallback(
    ({ ask, ...change }: OrganizationChange, onDone?: (receipt: Receipt) => void) => {
      if (current.current) return;
      const body = ask?.();
      const intent = {
        ...{ key: newIdempotencyKey(), revision: seen, onDone },
        change: { ...change, ...(body && { ask: () => body }) },
      };
      current.current = intent;
      pendingChanges.begin({ account, id }, change, { ...intent, body });
      setOutcome({ is: 'running' });
      void attempt(intent, 0);
    },
    [account, attempt, id, seen],
  );

  /** Repeats the request of a change that began before this page opened. */
  const resume = useCallback(
    ({ key, revision, method, path, body }: PendingChange) => {
      const intent = {
        ...{ key, revision, onDone: undefined },
        change: { method, path, ...(body && { ask: () => body }) },
      };
      current.current = intent;
      setOutcome({ is: 'unknown', failure: noAnswer });
      void attempt(intent, 1);
    },
    [attempt],
  );

  /** Adds commands to the draft; without an open draft, begins one. */
  const toDraft = useCallback(
    async (commands: readonly DraftCommand[], onDrafted?: () => void) => {
      if (current.current || isAdding.current) return;
      isAdding.current = true;
      const flaw = await add(commands).catch(() => 'not-loaded' as const);
      isAdding.current = false;
      setOutcome(flaw === undefined ? { is: 'drafted' } : { is: 'not-drafted', flaw });
      if (flaw === undefined) onDrafted?.();
    },
    [add],
  );

  /**
   * Executes the command through its own route. While a draft is open, adds the command to the draft instead; then
   * `onDrafted` runs in place of `onDone`.
   */
  const runOrDraft = useCallback(
    (command: DirectCommand, onDone?: (receipt: Receipt) => void, onDrafted?: () => void) => {
      if (isDrafting) void toDraft([command], onDrafted);
      else run(requestOf(command), onDone);
    },
    [isDrafting, run, toDraft],
  );

  /** If the outcome is unknown, repeats the request at once with the same `Idempotency-Key`. */
  const askAgain = useCallback(() => {
    if (current.current) void attempt(current.current, 1);
  }, [attempt]);

  /** Forgets the outcome of the last change, such as a refusal. A change whose outcome is still unknown continues. */
  const reset = useCallback(() => {
    if (!current.current) setOutcome(READY);
  }, []);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      const open = current.current;
      current.current = undefined;
      if (open) pendingChanges.release(open.key);
    },
    [],
  );
  const isBusy = outcome.is === 'running' || outcome.is === 'unknown';
  return useMemo(
    () => ({ outcome, isBusy, run, resume, runOrDraft, toDraft, askAgain, reset }),
    [askAgain, isBusy, outcome, reset, resume, run, runOrDraft, toDraft],
  );
}

export type RunnableCommand = ReturnType<typeof useCommand>;

const noAnswer: CallFailure = { status: 0, reason: 'unreachable', request: '', retryAfter: null };

/** The newest revision of the organization, from an answer with the status 412. */
const revisionIn = ({ problem }: CallFailure): unknown =>
  (problem as Readonly<Record<string, unknown>> | undefined)?.['revision'];
