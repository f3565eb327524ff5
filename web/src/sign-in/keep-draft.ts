const KEPT_DRAFT = 'charter-kept-draft';
/**
 * The type of the session storage key for the draft's address. The console imports only this type, so that the log-in
 * page stays small.
 */
export type KeptDraft = typeof KEPT_DRAFT;

/** The part of a fragment that contains the draft. The search text of a list may follow it (`#draft=…&q=…`). */
const draftForm = /^#draft=[^&]*/;

/**
 * Stores the address of the draft that the person wants to open. Google, an organization's own provider and mailed
 * links lead back without the fragment. The search text of a list (`q=`) is never stored, because it may be a person's
 * name.
 */
export function keepDraft(window: Pick<Window, 'location' | 'sessionStorage'>): void {
  const { search, hash } = window.location;
  const draft = draftForm.exec(hash);
  if (!draft) return;
  try {
    window.sessionStorage.setItem(KEPT_DRAFT, `${new URLSearchParams(search).get('redirect')}${draft[0]}`);
  } catch {
    // Without session storage only a sign-in with a password opens the draft.
  }
}
