import type { Entitlements, OrganizationDocument } from '@charter/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api } from '../api';
import type { ConsoleDispatch } from '../store';
import { BLOCK_STEPS, type Blocks, createBlocks, type RevisionAnswers } from './blocks';
import { isSameJson } from './same-json';
import { documentById, type Scrubbed } from './scrubbing';

/** The pause in milliseconds after which the page asks the service for the moment. */
const REST_MS = 150;

/**
 * Moves the page through revisions without a request for each step. At rest the page asks the service for the moment,
 * and `differs` says whether the service's answer differs from the computed answer.
 */
export function useScrub(
  id: string,
  head: number,
  onScrub: (answers: Scrubbed) => void,
  atRest: (revision: number) => void,
) {
  const dispatch = useDispatch<ConsoleDispatch>();
  const [thumb, setThumb] = useState<number>();
  const [differs, setDiffers] = useState(false);
  const blocks = useRef<Blocks>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wanted = useRef<number>(undefined);
  /** Ends the move: the page shows the moment of its address again. */
  const cancel = useCallback(() => {
    clearTimeout(timer.current);
    wanted.current = undefined;
    setThumb(undefined);
    setDiffers(false);
    onScrub(undefined);
  }, [onScrub]);
  useEffect(() => cancel, [cancel]);

  const load = useCallback(
    (from: number) =>
      dispatch(api.endpoints.steps.initiate({ id, from }, { subscribe: false, forceRefetch: true })).unwrap(),
    [dispatch, id],
  );
  const rest = useCallback(
    async (revision: number, shown: RevisionAnswers | undefined) => {
      const at = { id, moment: { asOf: String(revision) } };
      const [document, entitlements] = await Promise.all([
        dispatch(api.endpoints.organization.initiate(at, { subscribe: false })).unwrap(),
        dispatch(api.endpoints.entitlements.initiate(at, { subscribe: false })).unwrap(),
      ]);
      if (wanted.current !== revision) return;
      setDiffers(shown !== undefined && !isSame(shown, document, entitlements));
      wanted.current = undefined;
      setThumb(undefined);
      atRest(revision);
      onScrub(undefined);
    },
    [atRest, dispatch, id, onScrub],
  );

  const scrub = useCallback(
    (revision: number) => {
      const known = (blocks.current ??= createBlocks(load));
      wanted.current = revision;
      setThumb(revision);
      const shown = known.at(revision);
      if (shown) onScrub(shown);
      const show = () => {
        if (wanted.current === revision) onScrub(known.at(revision));
      };
      known.want(revision).then(show, () => undefined); // at rest the page asks the service, and shows its failure
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        void rest(revision, known.at(revision)).catch(() => {
          if (wanted.current !== revision) return;
          wanted.current = undefined;
          setThumb(undefined);
          atRest(revision); // the page asks again, and shows the failure
          onScrub(undefined);
        });
        for (const next of [revision + BLOCK_STEPS, revision - BLOCK_STEPS])
          if (next >= 0 && next <= head) void known.want(next).catch(() => undefined);
      }, REST_MS);
    },
    [atRest, head, load, onScrub, rest],
  );
  const step = thumb === undefined ? undefined : blocks.current?.step(thumb);
  return { thumb, step, differs, scrub, cancel };
}

const isSame = (shown: RevisionAnswers, document: OrganizationDocument, entitlements: Entitlements): boolean =>
  isSameJson(shown.document, documentById(document)) && isSameJson(shown.entitlements, entitlements);
