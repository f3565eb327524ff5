/** Copies each moment of a selected text in its ISO form, because the printed form depends on the page's choices. */
export function copyMomentsAsIso(page: Document): () => void {
  const copy = (event: ClipboardEvent) => {
    const selection = page.getSelection();
    if (!selection || selection.isCollapsed || isInField(event.target)) return;
    const shown = selection.toString();
    const copied = withIso(shown, selectedMoments(selection, page));
    if (copied === shown) return;
    event.clipboardData?.setData('text/plain', copied);
    event.preventDefault();
  };
  page.addEventListener('copy', copy);
  return () => page.removeEventListener('copy', copy);
}

const isInField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea');

const selectedMoments = (selection: Selection, page: Document): readonly HTMLTimeElement[] =>
  [...page.querySelectorAll('time')].filter((moment) => selection.getRangeAt(0).intersectsNode(moment));

/**
 * Replaces each printed moment in the text by its ISO form. A moment that is selected only in part stays as printed.
 */
function withIso(text: string, moments: readonly HTMLTimeElement[]): string {
  let [done, rest] = ['', text];
  for (const { textContent: printed, dateTime } of moments) {
    const place = printed === '' ? -1 : rest.indexOf(printed);
    if (place < 0) continue;
    done += rest.slice(0, place) + dateTime;
    rest = rest.slice(place + printed.length);
  }
  return done + rest;
}
