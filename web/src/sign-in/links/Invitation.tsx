import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text';
import { useBrowserPorts } from '../browser-ports';
import { Field } from '../fields/Field';
import { isInvalidLink } from './linkThunks';
import { NewPasswordForm } from './NewPasswordForm';

type Invited = Readonly<{
  organization: Readonly<{ id: string; name: string }> | null;
  inviter: string | null;
  name: string | null;
  /** The address to which the link was mailed; null if the link was printed. */
  email: string | null;
}>;

/**
 * The page of an invitation: a person chooses the first password, may enter a name, and is then signed in. If the page
 * cannot read the names, for example because of a lost connection, the form works without these names.
 */
export function Invitation({ onInvalid }: Readonly<{ onInvalid: () => void }>) {
  const { facts, post, go, prefetch, linkToken } = useBrowserPorts();
  const text = useText();
  const name = useRef<HTMLInputElement>(null);
  const [invited, setInvited] = useState<Invited>();

  useEffect(() => {
    if (linkToken === '') return;
    const show = ({ data }: { data: Invited }) => {
      setInvited(data);
      const { current } = name;
      if (current?.value === '' && data.name !== null) current.value = data.name;
    };
    (post('/invitation', { token: linkToken }) as Promise<{ data: Invited }>).then(
      show,
      (error: unknown) => isInvalidLink(error) && onInvalid(),
    );
    prefetch(facts.next);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the link and the ports never change
  }, []);

  const organization = invited?.organization;
  const sub = organization
    ? text(invited.inviter === null ? 'invitation.to' : 'invitation.from', {
        organization: organization.name,
        inviter: invited.inviter,
      })
    : invited && text('invitation.account', { product: facts.product });
  return (
    <NewPasswordForm
      words={words}
      sub={sub}
      onDone={() => go(organization ? `/org/${organization.id}/overview` : '/')}
      onInvalid={onInvalid}
    >
      {(isRefused) => (
        <>
          <Field
            ref={name}
            id="name"
            label={text('invitation.name')}
            autoComplete="name"
            autoCapitalize="words"
            maxLength={200}
            aria-invalid={isRefused}
            aria-describedby={isRefused ? 'new-password-error' : undefined}
          />
          {/* Without this field, a password manager stores the person's name as the username. */}
          {invited?.email && (
            <input
              className="unseen"
              autoComplete="username"
              value={invited.email}
              readOnly
              tabIndex={-1}
              aria-hidden
            />
          )}
        </>
      )}
    </NewPasswordForm>
  );
}

const words = {
  title: 'invitation.title',
  heading: 'invitation.heading',
  password: 'invitation.password',
  submit: 'invitation.submit',
};
