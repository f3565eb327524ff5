import { type RefObject, useLayoutEffect } from 'react';
import { isField } from '../../page-parts/ignores-single-key';

/**
 * Ignores what a person types for the moment field before the field is there. Without this hook, each character would
 * act as a shortcut. Enter or Space would press the element from which the person opened the time bar.
 */
export function useKeysWhileOpening(isOpening: boolean, opener: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    if (!isOpening) return undefined;
    const ignore = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || isField(target)) return;
      const isPress = key === 'Enter' || key === ' ';
      if (isPress ? target === opener.current : key.length === 1) event.preventDefault();
    };
    document.addEventListener('keydown', ignore, true); // before the shortcuts, which ignore a prevented event
    return () => document.removeEventListener('keydown', ignore, true);
  }, [isOpening, opener]);
}
