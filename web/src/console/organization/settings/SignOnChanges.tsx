import type { SingleSignOn } from '@charter/client';
import { useId, useRef, useState } from 'react';
import { useOrganizationQuery } from '../../api';
import styles from '../../commands/Command.module.css';
import { CommandDialog } from '../../commands/CommandDialog';
import { refusedField } from '../../commands/refusal-words';
import { useCommand } from '../../commands/useCommand';
import { useRights } from '../../commands/useRights';
import { PRESENT } from '../../moment/page-moment';
import { useDrafting } from '../../drafting/drafting-context';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';

type ChangesOf = Readonly<{ id: string; stored: Pick<SingleSignOn, 'issuer' | 'clientId'> }>;

/** The buttons that set and remove the organization's own sign-in provider. */
export function SignOnChanges({ id, stored }: ChangesOf) {
  const { text } = useWords();
  const { may } = useRights(id);
  const { isOpen: isDrafting } = useDrafting();
  const [dialog, setDialog] = useState<'configure' | 'remove'>();
  const [said, setSaid] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  const isRemoved = useRef(false);
  const mayRemove = may('RemoveSingleSignOn') && stored.issuer !== null;
  const open = (next: typeof dialog) => {
    setSaid('');
    setDialog(next);
  };
  const close = () => setDialog(undefined);
  return (
    <>
      <div className={styles['buttons']}>
        {may('ConfigureSingleSignOn') && (
          <button
            ref={opener}
            type="button"
            className={controlStyles['button']}
            aria-haspopup="dialog"
            onClick={() => open('configure')}
          >
            {text(stored.issuer === null ? 'settings.sso.set-up' : 'settings.sso.change')}
          </button>
        )}
        {mayRemove && (
          <button
            type="button"
            className={controlStyles['danger']}
            aria-haspopup="dialog"
            onClick={() => open('remove')}
          >
            {text('settings.sso.remove.menu')}
          </button>
        )}
      </div>
      {isDrafting && (may('ConfigureSingleSignOn') || mayRemove) && (
        <p className={styles['hint']}>{text('drafting.direct.sso')}</p>
      )}
      <p role="status">{said}</p>
      {dialog === 'configure' && (
        <ConfigureDialog {...{ id, stored }} onClose={close} onDone={() => setSaid(text('settings.sso.done'))} />
      )}
      {dialog === 'remove' && (
        <RemoveDialog
          {...{ id }}
          onClose={() => {
            close();
            if (isRemoved.current) opener.current?.focus(); // the opener of this dialog is gone
            isRemoved.current = false;
          }}
          onDone={() => {
            isRemoved.current = true;
            setSaid(text('settings.sso.removed'));
          }}
        />
      )}
    </>
  );
}

type DialogOf = Readonly<{ id: string; onClose: () => void; onDone: () => void }>;

/**
 * The form for the sign-in provider. The secret is neither in the Redux store nor in the list of sent requests, and the
 * page forgets the secret when the dialog closes.
 */
function ConfigureDialog({ id, stored, onClose, onDone }: DialogOf & Pick<ChangesOf, 'stored'>) {
  const { text } = useWords();
  const command = useCommand(id);
  const [issuer, client, secret] = [
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
  ];
  const [issuerId, clientId, secretId, noteId] = [useId(), useId(), useId(), useId()];
  const wrongField = refusedField(command.outcome);
  const fieldAbout = (name: string) => ({ 'aria-invalid': wrongField === name, 'aria-describedby': noteId });
  const send = () =>
    command.run(
      {
        ...{ method: 'PUT', path: '/single-sign-on' },
        ask: () => ({
          issuer: issuer.current?.value.trim(),
          clientId: client.current?.value.trim(),
          clientSecret: secret.current?.value,
        }),
      },
      onDone,
    );
  return (
    <CommandDialog
      title={text('settings.sso.dialog')}
      send={text('settings.save')}
      {...{ command, onClose, noteId }}
      onSend={send}
    >
      <label htmlFor={issuerId}>{text('settings.sso.issuer')}</label>
      <input
        ref={issuer}
        id={issuerId}
        type="url"
        autoComplete="off"
        defaultValue={stored.issuer ?? ''}
        onChange={command.reset}
        {...fieldAbout('issuer')}
      />
      <label htmlFor={clientId}>{text('settings.sso.client')}</label>
      <input
        ref={client}
        id={clientId}
        type="text"
        autoComplete="off"
        defaultValue={stored.clientId ?? ''}
        onChange={command.reset}
        {...fieldAbout('clientId')}
      />
      <label htmlFor={secretId}>{text('settings.sso.secret')}</label>
      <input
        ref={secret}
        id={secretId}
        type="password"
        autoComplete="new-password"
        onChange={command.reset}
        {...fieldAbout('clientSecret')}
      />
      <p className={styles['hint']}>{text('settings.sso.tried')}</p>
    </CommandDialog>
  );
}

function RemoveDialog({ id, onClose, onDone }: DialogOf) {
  const { text } = useWords();
  const { data: document } = useOrganizationQuery({ id, moment: PRESENT });
  const command = useCommand(id);
  return (
    <CommandDialog
      title={text('settings.sso.remove.title', { organization: typed(document?.name ?? '') })}
      send={text('settings.sso.remove')}
      {...{ command, onClose }}
      onSend={() => command.run({ method: 'DELETE', path: '/single-sign-on' }, onDone)}
      takesAway
    >
      <p>{text('settings.sso.remove.effect')}</p>
    </CommandDialog>
  );
}
