import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { backKey, forwardKey } from '../axis/slider-keys';

type ToolbarOf = Readonly<{ label: string; className: string | undefined; children: ReactNode }>;

const CONTROLS = 'button, select, input';

/** A group of controls that is one tab stop. The arrow keys move the focus between these controls. */
export function Toolbar({ label, className, children }: ToolbarOf) {
  const toolbar = useRef<HTMLDivElement>(null);
  const chosen = useRef<Element>(undefined);
  const hasFocus = useRef(false);
  const controls = () => [...(toolbar.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  const setStop = () => {
    const all = controls();
    const stop = all.find((control) => control === chosen.current) ?? all[0];
    for (const control of all) control.tabIndex = control === stop ? 0 : -1;
  };
  useEffect(() => {
    setStop();
    // If a control disappears when a person presses it, the first control gets the focus.
    if (!hasFocus.current || chosen.current?.isConnected !== false) return;
    hasFocus.current = false;
    controls()[0]?.focus();
  });
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = controls();
    const at = all.indexOf(event.target as HTMLElement);
    const places: Readonly<Record<string, number>> = {
      [forwardKey(event.currentTarget)]: (at + 1) % all.length,
      [backKey(event.currentTarget)]: (at - 1 + all.length) % all.length,
    };
    const next = places[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    all[next]!.focus();
  };
  return (
    <div
      ref={toolbar}
      role="toolbar"
      aria-label={label}
      className={className}
      onKeyDown={move}
      onFocus={({ target }) => {
        chosen.current = target;
        hasFocus.current = true;
        setStop();
      }}
      onBlur={() => (hasFocus.current = false)}
    >
      {children}
    </div>
  );
}
