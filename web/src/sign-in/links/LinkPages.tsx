import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../text';
import { Confirm } from './Confirm';
import { Heading } from '../frame/Heading';
import { SetPassword } from './SetPassword';
import styles from '../frame/Shell.module.css';

/**
 * The pages that mailed links open. The form appears at once, because the page does not check the link before the
 * person submits the form.
 */
export function LinkPages({ of }: Readonly<{ of: 'reset' | 'confirm' }>) {
  const [invalid, setInvalid] = useState(false);
  const Page = of === 'reset' ? SetPassword : Confirm;
  return invalid ? <Invalid of={of} /> : <Page onInvalid={() => setInvalid(true)} />;
}

function Invalid({ of }: Readonly<{ of: 'reset' | 'confirm' }>) {
  const text = useText();
  const isReset = of === 'reset';
  return (
    <>
      <Heading title={`${of}.title`} failed heading={text('reset.invalid.heading')}>
        {text(isReset ? 'reset.invalid' : 'confirm.invalid')}
      </Heading>
      <Link className={styles['primary']} to={isReset ? '/forgot' : '/login'}>
        {text(isReset ? 'reset.invalid.again' : 'forgot.back')}
      </Link>
    </>
  );
}
