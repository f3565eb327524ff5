/** The parts of a page whose new texts assistive software announces. */
const LIVE = '[role=status], [role=alert], [aria-live]';

const observers: MutationObserver[] = [];
afterEach(() => observers.splice(0).forEach((observer) => observer.disconnect()));

/**
 * The texts that assistive software announces from now on, in order. Each change of a live region announces its whole
 * text again, even if the text is the same as before. The list omits "Loading: …", because a part of the page that is
 * already loaded does not announce this text.
 */
export function announcements(): readonly string[] {
  const announced: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const region of new Set(changes.flatMap(regionsOf)))
      if (region.isConnected && !/^(Loading: .*)?$/.test(region.textContent)) announced.push(region.textContent);
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  observers.push(observer);
  return announced;
}

/** The live regions that a change concerns: the region around the change, and the regions that the change adds. */
function regionsOf({ target, addedNodes }: MutationRecord): readonly Element[] {
  const around = (target instanceof Element ? target : target.parentElement)?.closest(LIVE);
  const added = [...addedNodes].filter((node) => node instanceof Element);
  const inside = added.flatMap((node) => (node.matches(LIVE) ? [node] : [...node.querySelectorAll(LIVE)]));
  return around ? [around, ...inside] : inside;
}
