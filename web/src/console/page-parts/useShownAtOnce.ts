import { useEffect, useRef, useState } from 'react';

/**
 * The value of a form control that the address of the page also contains. The control shows a new value at once, and
 * the address changes a moment later. Before the address changes, the person may have typed more text.
 */
export function useShownAtOnce<Value>(value: Value, onChange: (value: Value) => void) {
  const [shown, setShown] = useState(value);
  /** The values that the address does not contain yet, the oldest first. */
  const pending = useRef<Value[]>([]);
  useEffect(() => {
    const place = pending.current.indexOf(value);
    pending.current = pending.current.slice(place + 1);
    if (place >= 0) return;
    pending.current = [];
    setShown(value); // the address changed without this control, for example with Back
  }, [value]);
  const change = (next: Value) => {
    pending.current = next === value ? [] : [...pending.current, next];
    setShown(next);
    onChange(next);
  };
  return [shown, change] as const;
}
