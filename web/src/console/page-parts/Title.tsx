import { type ReactNode, useEffect, useRef } from 'react';
import { useConsoleConfig } from '../page-config-context';

/** The minimum time between two titles of the tab while the time slider moves, in milliseconds. */
const TITLE_INTERVAL_MS = 100;

/** The heading of a page, and the title of the browser's tab, such as `Overview · Northwind · {product}`. */
export function Title({ children, tab }: Readonly<{ children: ReactNode; tab?: string }>) {
  const { facts } = useConsoleConfig();
  const words = tab ?? (typeof children === 'string' ? children : '');
  const writtenAt = useRef(-Infinity);
  useEffect(() => {
    const write = () => {
      document.title = words ? `${words} · ${facts.product}` : facts.product;
      writtenAt.current = performance.now();
    };
    if (performance.now() - writtenAt.current >= TITLE_INTERVAL_MS) {
      write();
      return;
    }
    const timer = setTimeout(write, TITLE_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [words, facts.product]);
  return <h1 tabIndex={-1}>{children}</h1>;
}
