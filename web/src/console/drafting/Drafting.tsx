import {
  type ReactNode,
  useCallback,
  useContext,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { hasPendingChanges, outcomes } from '../commands/pending/has-pending-changes';
import { useRights } from '../commands/useRights';
import type { DraftCommand } from '../draft/address/draft-address';
import { DRAFT_NAME, draftIn, fragmentOf, searchIn } from '../draft/address/draft-fragment';
import type { DraftFlaw } from '../draft/address/read-draft';
import { isPastMoment } from '../moment/page-moment';
import { ScrubbedContext } from '../moment/scrubbing';
import { usePageMoment } from '../moment/usePageMoment';
import { useConsoleConfig } from '../page-config-context';
import { useSingleKey } from '../page-parts/useSingleKey';
import { DraftingContext } from './drafting-context';

/**
 * Manages the draft of an organization. While the address contains a draft, the controls of each page add their
 * commands to this draft. The draft stays in the address when the person opens another page of the organization. The
 * browser's Back opens the draft before the last change.
 */
export function Drafting({ id, children }: Readonly<{ id: string; children: ReactNode }>) {
  const location = useLocation();
  const { pathname, search, hash } = location;
  const navigate = useNavigate();
  const { account } = useConsoleConfig().facts;
  const { moment } = usePageMoment();
  const isPast = useContext(ScrubbedContext) !== undefined || isPastMoment(moment);
  const { mayChange } = useRights(id);
  const draft = draftIn(hash);
  /** Whether the person has committed this draft, and the page does not know the outcome yet. */
  const isCommitting = (one: string) => hasPendingChanges(` ${account} ${id}`, `"${one}"`);
  const committing = useSyncExternalStore(outcomes.listen, () => draft !== undefined && isCommitting(draft));
  const isOpen = draft !== undefined && !isPast && !committing;
  /** The draft that the address of the next page will also contain; undefined if the next address gets no draft. */
  const kept = useRef(draft);
  /** The draft that the person has committed last. */
  const ended = useRef<string>(undefined);
  const adding = useRef<Promise<unknown>>(Promise.resolve());
  const current = useRef(location);

  /** Whether the person has opened the current page with Back or Forward. */
  const wasBack = useNavigationType() === NavigationType.Pop;
  const moved = useEffectEvent(() => {
    current.current = location;
    // If the person returns with Back or Forward to an address without a draft, this code does not add the draft to the
    // address again. A page that undoes events begins its own draft.
    const isOther = wasBack || new URLSearchParams(search).has('undo');
    const next = draft ?? (isOther ? undefined : kept.current);
    kept.current = next === undefined || next === ended.current || isCommitting(next) ? undefined : next;
    if (draft !== undefined || kept.current === undefined) return;
    void navigate(
      { pathname, search, hash: fragmentOf({ draft: kept.current, q: searchIn(hash) }) },
      { replace: true, state: location.state as unknown },
    );
  });
  useLayoutEffect(() => moved(), [location.key, committing]);

  const forgetCommitted = useCallback((committed: string) => {
    ended.current = committed;
    if (kept.current === committed) kept.current = undefined;
  }, []);

  const controls = useMemo(() => {
    /** Opens the current page with another draft in the address, or without a draft. */
    const show = (next: string | undefined) => {
      kept.current = next;
      if (next === ended.current) ended.current = undefined; // the person has made the same draft again
      const { pathname: path, search: query, hash: fragment } = current.current;
      void navigate({ pathname: path, search: query, hash: fragmentOf({ draft: next, q: searchIn(fragment) }) });
    };
    const addNow = async (commands: readonly DraftCommand[]): Promise<DraftFlaw | undefined> => {
      const { appendedDraft } = await import('./appended-draft');
      const appended = await appendedDraft(id, kept.current ?? DRAFT_NAME, commands);
      if ('flaw' in appended) return appended.flaw;
      show(appended.draft);
      return undefined;
    };
    const add = (commands: readonly DraftCommand[]) => {
      const added = adding.current.then(() => addNow(commands)); // one after the other, so that no command is lost
      adding.current = added.catch(() => undefined);
      return added;
    };
    return {
      ...{ add, isOpen },
      mayStart: draft === undefined && mayChange && !pathname.endsWith('/draft'),
      start: () => show(DRAFT_NAME),
      stop: () => show(undefined),
      forgetCommitted,
      hasEnded: () => draft !== kept.current,
    };
  }, [draft, forgetCommitted, id, isOpen, navigate, pathname, mayChange]);

  useSingleKey('e', () => {
    if (controls.mayStart) controls.start();
    else if (controls.isOpen && !pathname.endsWith('/draft'))
      void navigate({ pathname: `/org/${id}/draft`, hash: draft! });
  });
  return <DraftingContext value={controls}>{children}</DraftingContext>;
}
