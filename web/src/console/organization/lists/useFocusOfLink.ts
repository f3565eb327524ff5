import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * The router state of a link to a part of a page. The URL fragment cannot name the part, because the fragment may
 * contain a draft.
 */
export const focusState = (part: string): Readonly<{ focus: string }> => ({ focus: part });

/** If the person has followed a link to this part, scrolls to the part and moves the focus to its heading. */
export function useFocusOfLink(part: string): RefObject<HTMLHeadingElement | null> {
  const location = useLocation();
  const { key } = location;
  const state = location.state as Partial<ReturnType<typeof focusState>> | null;
  const heading = useRef<HTMLHeadingElement>(null);
  const isNamed = state?.focus === part;
  useEffect(() => {
    if (!isNamed) return;
    const timer = setTimeout(() => heading.current?.focus()); // after the heading of the page has got the focus
    return () => clearTimeout(timer);
  }, [isNamed, key]);
  return heading;
}
