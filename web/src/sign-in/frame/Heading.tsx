import { useEffect, type ReactNode } from 'react';
import { useText } from '../../text';
import styles from './Shell.module.css';
import { useBrowserPorts } from '../browser-ports';

type Of = Readonly<{ title: string; failed?: boolean; heading: string; children?: ReactNode }>;

/** A page's heading, the text below it, and the title of the browser's tab. */
export function Heading({ title, failed = false, heading, children }: Of) {
  const { facts } = useBrowserPorts();
  const text = useText();
  const page = text(title, { product: facts.product });
  const whole = failed ? text('title.error', { title: page }) : page;
  useEffect(() => {
    document.title = whole;
  }, [whole]);
  return (
    <>
      <h1 tabIndex={-1}>{heading}</h1>
      <p className={styles['sub']} role="status">
        {children}
      </p>
    </>
  );
}
