import type { LoginNotice } from '../login/Login';
import { useNavigate } from 'react-router-dom';
import { NewPasswordForm } from './NewPasswordForm';

/** The page that sets a new password with a mailed link. A new password does not sign the person in. */
export function SetPassword({ onInvalid }: Readonly<{ onInvalid: () => void }>) {
  const navigate = useNavigate();
  const onDone = () => navigate('/login', { replace: true, state: { notice: 'login.changed' satisfies LoginNotice } });
  return <NewPasswordForm words={words} onDone={onDone} onInvalid={onInvalid} />;
}

const words = {
  title: 'reset.title',
  heading: 'reset.heading',
  password: 'reset.password',
  submit: 'reset.submit',
};
