import { Suspense } from 'react';
import { WithWords } from '../later-words';
import { EmailDomains } from './domains/EmailDomains';
import { SignOn } from './SignOn';

/** The settings about how people of the organization sign in. The browser loads them after the rest of the page. */
export default function SignInSettings({ id }: Readonly<{ id: string }>) {
  return (
    <>
      <SignOn id={id} />
      <Suspense fallback={null}>
        <WithWords group="domains">
          <EmailDomains id={id} />
        </WithWords>
      </Suspense>
    </>
  );
}
