import { takeStored } from '../sign-in/arrival';
import type { KeptDraft } from '../sign-in/keep-draft';

const KEPT_DRAFT: KeptDraft = 'charter-kept-draft';

/**
 * The form of an address of an organization's page with a draft. The console checks the form of a stored address,
 * because the log-in page stores every address whose fragment begins with `#draft=`.
 */
const addressForm = /^\/org(\/[\w-]+){2,3}([?][^#]*)?#draft=[\w-]*$/;

/**
 * Opens the address with a draft that the log-in page has stored. Opens the stored address only if the sign-in led to
 * `/`, or to the same address without the fragment. The stored address is used at most once. If the current address
 * already has a fragment, nothing is opened.
 */
export function restoreDraft(window: Pick<Window, 'location' | 'history' | 'sessionStorage'>): void {
  const kept = takeStored(window, KEPT_DRAFT);
  const { pathname, search, hash } = window.location;
  if (kept === null || hash !== '' || !addressForm.test(kept)) return;
  if (pathname === '/' || kept.startsWith(`${pathname}${search}#`)) window.history.replaceState(null, '', kept);
}
