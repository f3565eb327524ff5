import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../text';
import { Confirm } from './Confirm';
import { Heading } from '../frame/Heading';
import { Invitation } from './Invitation';
import { SetPassword } from './SetPassword';
import { useBrowserPorts } from '../browser-ports';
import styles from '../frame/Shell.module.css';

/**
 * The pages that mailed links open. The form appears at once. Only the page of an invitation checks the link before the
 * person submits the form.
 */
export function LinkPages({ of }: Readonly<{ of: keyof typeof pages }>) {
  const { linkToken } = useBrowserPorts();
  const [invalid, setInvalid] = useState(false);
  const Page = pages[of];
  // The prerendered document contains the form, so only an effect can replace the form.
  useEffect(() => setInvalid(linkToken === ''), [linkToken]);
  return invalid ? <Invalid of={of} /> : <Page onInvalid={() => setInvalid(true)} />;
}

const pages = { reset: SetPassword, confirm: Confirm, invitation: Invitation };

function Invalid({ of }: Readonly<{ of: keyof typeof pages }>) {
  const { linkToken } = useBrowserPorts();
  const text = useText();
  useEffect(() => {
    const hasLostFocus = document.activeElement === document.body; // the form had the focus, and has disappeared
    if (hasLostFocus) document.querySelector('h1')?.focus();
  }, []);
  // After a reload the page does not know the link, which may still work.
  const { heading, sentence } = invalidWords[linkToken === '' ? 'unknown' : of];
  const isReset = of === 'reset';
  return (
    <>
      <Heading title={titles[of]} failed heading={text(heading)}>
        {text(sentence)}
      </Heading>
      <Link className={styles['primary']} to={isReset ? '/forgot' : '/login'}>
        {text(isReset ? 'reset.invalid.again' : 'forgot.back')}
      </Link>
    </>
  );
}

const titles = { reset: 'reset.title', confirm: 'confirm.title', invitation: 'invitation.title' };
const invalidWords = {
  reset: { heading: 'reset.invalid.heading', sentence: 'reset.invalid' },
  confirm: { heading: 'reset.invalid.heading', sentence: 'confirm.invalid' },
  invitation: { heading: 'invitation.invalid.heading', sentence: 'invitation.invalid' },
  unknown: { heading: 'link.unknown.heading', sentence: 'link.unknown' },
};
