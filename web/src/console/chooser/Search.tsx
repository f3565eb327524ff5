import { useRef } from 'react';
import controlStyles from '../page-parts/Controls.module.css';
import { useShownAtOnce } from '../page-parts/useShownAtOnce';
import { useSingleKey } from '../page-parts/useSingleKey';

type SearchOf = Readonly<{ label: string; value: string; onChange: (value: string) => void }>;

/** A field that filters a list. The key `/` moves the focus to the field. */
export function Search({ label, value, onChange }: SearchOf) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, type] = useShownAtOnce(value, onChange);
  useSingleKey('/', () => input.current?.focus());
  return (
    <label className={controlStyles['search']}>
      <span>{label}</span>
      <input ref={input} type="search" value={typed} onChange={({ target }) => type(target.value)} />
    </label>
  );
}
