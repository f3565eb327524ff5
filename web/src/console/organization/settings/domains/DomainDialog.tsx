import type { VerifiedDomain } from '@charter/client';
import { type ReactNode, type RefObject, useId, useRef } from 'react';
import type { OrganizationChange } from '../../../api';
import styles from '../../../commands/Command.module.css';
import { CommandDialog } from '../../../commands/CommandDialog';
import { refusedField } from '../../../commands/refusal-words';
import { type RunnableCommand, useCommand } from '../../../commands/useCommand';
import { useWords } from '../../../words';
import { typed } from '../../history/wording/typed-text';

/** An action of a person on a domain. */
export type DomainAction =
  Readonly<{ is: 'claim' }> | Readonly<{ is: 'check' | 'switch' | 'withdraw'; one: VerifiedDomain }>;

type Of<Action> = Readonly<{ id: string; action: Action; onClose: () => void; onDone: (words: string) => void }>;

/**
 * The dialog of an action. The service asks for the password in every dialog except the last. The password is neither
 * in the Redux store nor in the list of sent requests.
 */
export function DomainDialog({ action, ...rest }: Of<DomainAction>) {
  switch (action.is) {
    case 'claim':
      return <ClaimDialog {...rest} />;
    case 'check':
      return <CheckDialog {...rest} one={action.one} />;
    case 'switch':
      return <SwitchDialog {...rest} one={action.one} />;
    case 'withdraw':
      return <WithdrawDialog {...rest} one={action.one} />;
  }
}

type DialogOf = Omit<Of<never>, 'action'>;
type OneOf = DialogOf & Readonly<{ one: VerifiedDomain }>;

function ClaimDialog({ id, onClose, onDone }: DialogOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const domain = useRef<HTMLInputElement>(null);
  const fieldId = useId();
  return (
    <ConfirmedDialog
      title={text('email-domains.claim.title')}
      send={text('email-domains.claim')}
      {...{ command, onClose }}
      change={{ method: 'POST', path: '/verified-domains' }}
      data={() => ({ domain: domain.current?.value.trim() })}
      onDone={() => onDone(text('email-domains.claim.done'))}
    >
      {(noteId) => (
        <>
          <p>{text('email-domains.claim.effect')}</p>
          <label htmlFor={fieldId}>{text('email-domains.domain')}</label>
          <input
            ref={domain}
            id={fieldId}
            type="text"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="acme.com"
            onChange={command.reset}
            aria-invalid={refusedField(command.outcome) === 'domain'}
            aria-describedby={noteId}
          />
        </>
      )}
    </ConfirmedDialog>
  );
}

function CheckDialog({ id, one: { domain, unicode, record }, onClose, onDone }: OneOf) {
  const { text } = useWords();
  const command = useCommand(id);
  return (
    <ConfirmedDialog
      title={text('email-domains.check.title', { domain: typed(unicode) })}
      send={text('email-domains.check')}
      {...{ command, onClose }}
      change={{ method: 'POST', path: `/verified-domains/${domain}/check` }}
      onDone={() => onDone(text('email-domains.check.done', { domain: typed(unicode) }))}
    >
      {() => <p>{text('email-domains.check.effect', { name: typed(record.name) })}</p>}
    </ConfirmedDialog>
  );
}

function SwitchDialog({ id, one, onClose, onDone }: OneOf) {
  const { text } = useWords();
  const { domain, unicode, automaticMembership, managed } = one;
  const command = useCommand(id);
  const [members, passwords] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  return (
    <ConfirmedDialog
      title={text('email-domains.switch.title', { domain: typed(unicode) })}
      send={text('email-domains.switch')}
      {...{ command, onClose }}
      change={{ method: 'PATCH', path: `/verified-domains/${domain}` }}
      data={() => ({
        automaticMembership: changed(members, automaticMembership),
        managed: changed(passwords, managed),
      })}
      onDone={() => onDone(text('email-domains.switch.done'))}
    >
      {() => (
        <>
          <label className={styles['check']}>
            <input ref={members} type="checkbox" defaultChecked={automaticMembership} />{' '}
            {text('email-domains.switch.membership')}
          </label>
          <p className={styles['hint']}>{text('email-domains.switch.membership.hint')}</p>
          <label className={styles['check']}>
            <input ref={passwords} type="checkbox" defaultChecked={managed} /> {text('email-domains.switch.managed')}
          </label>
          <p className={styles['hint']}>{text('email-domains.switch.managed.hint')}</p>
        </>
      )}
    </ConfirmedDialog>
  );
}

/** The state of a checkbox; undefined if the person has not changed it, so that another owner's change stays. */
function changed({ current }: RefObject<HTMLInputElement | null>, before: boolean): boolean | undefined {
  return current?.checked === before ? undefined : current?.checked;
}

function WithdrawDialog({ id, one: { domain, unicode, state }, onClose, onDone }: OneOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const name = typed(unicode);
  return (
    <CommandDialog
      title={text('email-domains.withdraw.title', { domain: name })}
      send={text('email-domains.withdraw')}
      {...{ command, onClose }}
      onSend={() =>
        command.run({ method: 'DELETE', path: `/verified-domains/${domain}` }, () =>
          onDone(text('email-domains.withdraw.done', { domain: name })),
        )
      }
      takesAway
    >
      <p>{text(state === 'claimed' ? 'email-domains.withdraw.claim' : 'email-domains.withdraw.proof')}</p>
    </CommandDialog>
  );
}

type ConfirmedOf = Readonly<{
  title: string;
  send: string;
  command: RunnableCommand;
  change: OrganizationChange;
  /** Returns the fields of the request's body, without the password. */
  data?: () => object;
  onClose: () => void;
  onDone: () => void;
  children: (noteId: string) => ReactNode;
}>;

/** A dialog that asks for the password. */
function ConfirmedDialog({ title, send, command, change, data, onClose, onDone, children }: ConfirmedOf) {
  const noteId = useId();
  const password = useRef<HTMLInputElement>(null);
  return (
    <CommandDialog
      {...{ title, send, command, onClose, noteId }}
      onSend={() =>
        command.run({ ...change, ask: () => ({ ...data?.(), password: password.current?.value ?? '' }) }, onDone)
      }
    >
      {children(noteId)}
      <Password {...{ command, noteId }} field={password} />
    </CommandDialog>
  );
}

type PasswordOf = Readonly<{ command: RunnableCommand; noteId: string; field: RefObject<HTMLInputElement | null> }>;

function Password({ command, noteId, field }: PasswordOf) {
  const { text } = useWords();
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{text('email-domains.password')}</label>
      <input
        ref={field}
        id={id}
        type="password"
        autoComplete="current-password"
        onChange={command.reset}
        aria-invalid={refusedField(command.outcome) === 'password'}
        aria-describedby={noteId}
      />
    </>
  );
}
