import { takeStored } from '../sign-in/arrival';
import type { KeptDraft } from '../sign-in/keep-draft';

const KEPT_DRAFT: KeptDraft = 'charter-kept-draft';

/**
 * The form of a draft's address. This check is necessary, because the log-in page stores every address whose fragment
 * begins with `#draft=`.
 */
const draftAddressForm = /^\/org\/[\w-]+\/draft([?][^#]*)?#draft=[\w-]+$/;

/**
 * Opens the draft that the log-in page has stored, if the sign-in led to the address of the draft without its fragment,
 * or to `/`. The stored address is used at most once. If the current address already has a fragment, nothing is opened.
 */
export function restoreDraft(window: Pick<Window, 'location' | 'history' | 'sessionStorage'>): void {
  const kept = takeStored(window, KEPT_DRAFT);
  const { pathname, search, hash } = window.location;
  if (kept === null || hash !== '' || !draftAddressForm.test(kept)) return;
  if (pathname === '/' || kept.startsWith(`${pathname}${search}#`)) window.history.replaceState(null, '', kept);
}
