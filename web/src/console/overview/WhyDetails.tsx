import { type MouseEvent, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { WithWords } from '../organization/later-words';
import styles from './Why.module.css';

type WhyOf = Readonly<{
  /** The value that the reasons explain, in the form of the address parameter `why` (`why-address.ts`). */
  of: string;
  summary: ReactNode;
  children: ReactNode;
  /** Further reasons, which the browser loads when the person opens the reasons. */
  later?: ReactNode;
}>;

/** The value whose reasons the person has opened last in this tab. */
let lastPressed: string | undefined;

/**
 * The reasons for a value, which a person can open. The address parameter `why` contains the value whose reasons the
 * person opened last, so the browser's Back button closes these reasons. Closed reasons are not rendered before the
 * person opens them, because an overview has some fifty links in its reasons.
 */
export function WhyDetails({ of, summary, children, later }: WhyOf) {
  const [wasOpened, setOpened] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const named = new URLSearchParams(search).get('why');
  const isNamed = named === of;
  const wasNamed = useRef(false);
  useLayoutEffect(() => {
    // The reasons stay open if the person opens the reasons of another value. Back closes them if the address no longer
    // contains this value.
    if (details.current && isNamed !== wasNamed.current && (isNamed || named !== lastPressed))
      details.current.open = isNamed;
    wasNamed.current = isNamed;
  }, [isNamed, named]);

  const name = (why: string | null) => {
    const address = new URLSearchParams(search);
    if (why === null) address.delete('why');
    else address.set('why', why);
    void navigate({ pathname, search: address.toString(), hash });
  };
  const press = (event: MouseEvent) => {
    event.preventDefault(); // the code below opens and closes the reasons
    if (!details.current) return;
    const isOpen = (details.current.open = !details.current.open);
    if (!isOpen) return;
    setOpened(true);
    lastPressed = of;
    name(of);
  };
  return (
    <details
      ref={details}
      className={styles['why']}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true);
        else if (isNamed) name(null);
      }}
    >
      <summary onClick={press}>{summary}</summary>
      {(wasOpened || isNamed) && children}
      {wasOpened && later !== undefined && (
        <Suspense fallback={null}>
          <WithWords group="history">{later}</WithWords>
        </Suspense>
      )}
    </details>
  );
}
