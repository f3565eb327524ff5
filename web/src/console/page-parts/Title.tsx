import { type ReactNode, useEffect } from 'react';
import { useConsoleConfig } from '../page-config-context';

/** The heading of a page, and the title of the browser's tab, such as `Overview · Northwind · {product}`. */
export function Title({ children, tab }: Readonly<{ children: ReactNode; tab?: string }>) {
  const { facts } = useConsoleConfig();
  const words = tab ?? (typeof children === 'string' ? children : '');
  useEffect(() => {
    document.title = words ? `${words} · ${facts.product}` : facts.product;
  }, [words, facts.product]);
  return <h1 tabIndex={-1}>{children}</h1>;
}
