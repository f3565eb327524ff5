const KEPT_DRAFT = 'charter-kept-draft';
/**
 * The type of the session storage key for the draft's address. The console imports only this type, so that the log-in
 * page stays small.
 */
export type KeptDraft = typeof KEPT_DRAFT;

/**
 * Stores the address of the draft that the person wants to open. Google, an organization's own provider and mailed
 * links lead back without the fragment. A search text in the fragment (`#q=`) is never stored, because it may be a
 * person's name.
 */
export function keepDraft(window: Pick<Window, 'location' | 'sessionStorage'>): void {
  const { search, hash } = window.location;
  if (!hash.startsWith('#draft=')) return;
  try {
    window.sessionStorage.setItem(KEPT_DRAFT, `${new URLSearchParams(search).get('redirect')}${hash}`);
  } catch {
    // Without session storage only a sign-in with a password opens the draft.
  }
}
