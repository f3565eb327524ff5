import type { Entitlements, Receipt } from '@charter/client';
import { useId, useRef } from 'react';
import styles from '../../commands/Command.module.css';
import { CommandDialog } from '../../commands/CommandDialog';
import { refusedField } from '../../commands/refusal-words';
import { TryMore } from '../plan/try/TryMore';
import { useCommand } from '../../commands/useCommand';
import { useShowsForm } from '../../commands/useShowsForm';
import { useRights } from '../../commands/useRights';
import type { LimitedResource } from '../../overview/Limits';
import { LimitSum } from '../../overview/Why';
import { useWords } from '../../words';

type InviteOf = Readonly<{
  id: string;
  /** The resource that limits the number of members. */
  resource: LimitedResource;
  entitlements: Entitlements;
  onClose: () => void;
  onInvited: (email: string, receipt: Receipt) => void;
}>;

/**
 * The dialog that adds a person by e-mail address. Before the person sends the invitation, the dialog says how many
 * users the organization would have. At the limit, the dialog explains the limit instead.
 */
export function InviteDialog({ id, resource, entitlements, onClose, onInvited }: InviteOf) {
  const { text, name, number } = useWords();
  const command = useCommand(id);
  const { grants } = useRights(id);
  const email = useRef<HTMLInputElement>(null);
  const role = useRef<HTMLSelectElement>(null);
  const [emailId, roleId, noteId] = [useId(), useId(), useId()];
  const { outcome } = command;
  const sum = entitlements.limits[resource];
  const { used, limit, remaining } = sum;
  const hasForm = useShowsForm(sum);
  const full = (
    <>
      <p>{text('members.invite.full', { used: number(used), limit: number(limit ?? 0) })}</p>
      <LimitSum limit={sum} />
      <p>
        <TryMore {...{ id, resource }} limit={sum} />
      </p>
    </>
  );

  if (!hasForm)
    return (
      <CommandDialog title={text('keys.invite')} onClose={onClose}>
        {full}
      </CommandDialog>
    );
  const invite = () => {
    const address = email.current?.value.trim() ?? '';
    command.run(
      { method: 'POST', path: '/members', ask: () => ({ email: address, role: role.current?.value }) },
      (receipt) => onInvited(address, receipt),
    );
  };
  return (
    <CommandDialog
      title={text('keys.invite')}
      send={text('members.invite.send')}
      {...{ command, onClose, noteId }}
      onSend={invite}
    >
      <label htmlFor={emailId}>{text('members.invite.email')}</label>
      <input
        ref={email}
        id={emailId}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={refusedField(outcome) === 'email'}
        aria-describedby={noteId}
        onChange={command.reset}
      />
      <label htmlFor={roleId}>{text('members.role')}</label>
      <select ref={role} id={roleId} defaultValue="member">
        {grants.map((one) => (
          <option key={one} value={one}>
            {name(one)}
          </option>
        ))}
      </select>
      {remaining === 0 && outcome.is === 'ready' ? (
        full
      ) : (
        <p className={styles['hint']}>
          {limit === null
            ? text('members.invite.then-unlimited', { used: number(used + 1) })
            : text('members.invite.then', { used: number(used + 1), limit: number(limit) })}
        </p>
      )}
      <p className={styles['hint']}>{text('members.invite.mail')}</p>
    </CommandDialog>
  );
}
