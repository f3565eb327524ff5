import type { Entitlements, Receipt } from '@charter/client';
import { type ReactNode, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { api } from '../../api';
import { DoneNote, useResult } from '../../commands/DoneNote';
import { CommandNote } from '../../commands/CommandNote';
import type { DirectCommand } from '../../commands/own-routes';
import { QuestionDialog } from '../../commands/CommandDialog';
import { useCommand } from '../../commands/useCommand';
import { useRights } from '../../commands/useRights';
import { useDrafting } from '../../drafting/drafting-context';
import type { LimitedResource } from '../../overview/Limits';
import { useConsoleConfig } from '../../page-config-context';
import controlStyles from '../../page-parts/Controls.module.css';
import { useSingleKey } from '../../page-parts/useSingleKey';
import type { ConsoleDispatch } from '../../store';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';
import listStyles from '../lists/List.module.css';
import { InviteDialog } from './InviteDialog';
import type { MemberRow } from './member-rows';
import { type MemberAct, MemberMenu } from './MemberMenu';
import { RemoveMemberDialog } from './RemoveMemberDialog';
import { useNameInSentence } from './useNameInSentence';

type ChangesOf = Readonly<{
  id: string;
  /** The name of the organization. */
  organization: string;
  /** The resource that limits the number of members. */
  resource: LimitedResource;
  /** Undefined until the service has answered. */
  entitlements: Entitlements | undefined;
  /** The id of the element that gets the focus after a member is removed. */
  heading: string;
}>;

/** The controls that change the members of an organization, and the outcome of the last change. */
export function useMemberChanges({ id, organization, resource, entitlements, heading }: ChangesOf) {
  const { text, name } = useWords();
  const { facts } = useConsoleConfig();
  const dispatch = useDispatch<ConsoleDispatch>();
  const navigate = useNavigate();
  const { may } = useRights(id);
  const nameOf = useNameInSentence();
  const command = useCommand(id);
  const { isOpen: isDrafting } = useDrafting();
  const [changed, setChanged] = useState('');
  /** Whether the row of the changed member has disappeared. */
  const [isGone, setGone] = useState(false);
  /** The id of the member for whom the person has last requested a new link. */
  const [newLinkFor, setNewLinkFor] = useState('');
  const [dialog, setDialog] = useState<'invite' | MemberRow | OwnRole>();
  const { result, say } = useResult();
  const isRemoved = useRef(false);
  const opener = useRef<HTMLButtonElement>(null);
  const mayInvite = may('AddMember') && entitlements !== undefined;
  const invite = () => {
    opener.current?.focus(); // after the dialog, the focus returns to this button
    setDialog('invite');
  };
  useSingleKey('i', mayInvite ? invite : undefined);

  const act = (row: MemberRow, chosen: MemberAct) => {
    if (command.isBusy) {
      say(text('command.wait'));
      return;
    }
    say('');
    setGone(false);
    setNewLinkFor('');
    if (chosen.is === 'remove' && !isDrafting) {
      setDialog(row);
      return;
    }
    if (chosen.is === 'role' && chosen.role !== row.role && row.id === facts.account && !isDrafting) {
      setDialog({ row, act: chosen });
      return;
    }
    setChanged(row.id);
    const done = (receipt: Receipt) => {
      say(sentenceOf(row, chosen), receipt);
      if (chosen.is === 'send-again') setNewLinkFor(row.id);
    };
    if (chosen.is === 'send-again')
      command.run({ method: 'POST', path: '/members', ask: () => ({ email: row.email, role: row.role }) }, done);
    else command.runOrDraft(commandOf(row, chosen), done);
  };
  const sentenceOf = (row: MemberRow, chosen: MemberAct): string => {
    const [member, { product }] = [nameOf(row), facts];
    if (chosen.is === 'role') return text('members.done.role', { member, role: name(chosen.role) });
    if (chosen.is === 'send-again') return text('members.done.send-again', { member });
    if (chosen.is === 'remove') return text('members.done.removed', { member });
    return text(chosen.on ? 'members.done.product-user' : 'members.done.no-product-user', { member, product });
  };
  const closed = () => {
    setDialog(undefined);
    if (isRemoved.current) document.getElementById(heading)?.focus(); // the row with the pressed button is gone
    isRemoved.current = false;
  };
  const removed = (row: MemberRow, receipt: Receipt) => {
    isRemoved.current = true;
    if (row.id !== facts.account) {
      say(sentenceOf(row, { is: 'remove' }), receipt);
      return;
    }
    // The browser loads the account again only after it has answers to all requests. Until then, the page of all
    // organizations would lead the person back into this organization.
    dispatch(
      api.util.updateQueryData('me', undefined, (me) => {
        me.organizations = me.organizations.filter((one) => one.id !== id);
      }),
    );
    void navigate('/');
  };

  return {
    /** The button for an invitation, the open dialog, and the outcome of the last change. */
    controls: (
      <>
        {mayInvite && (
          <button
            ref={opener}
            type="button"
            className={controlStyles['primary']}
            aria-haspopup="dialog"
            aria-keyshortcuts="i"
            onClick={invite}
          >
            {text('members.invite')}
          </button>
        )}
        {mayInvite && isDrafting && <p className={listStyles['note']}>{text('drafting.direct.invite')}</p>}
        <DoneNote {...{ id, result }} />
        {isGone && <CommandNote command={command} />}
        {dialog === 'invite' && entitlements && (
          <InviteDialog
            {...{ id, resource, entitlements }}
            onClose={closed}
            onInvited={(email, receipt) => {
              const message = receipt.events.length === 0 ? 'members.done.already' : 'members.done.invited';
              say(text(message, { email: typed(email) }), receipt);
            }}
          />
        )}
        {typeof dialog === 'object' && 'act' in dialog && (
          <QuestionDialog
            {...{ id }}
            question={{
              title: text('members.own-role.title', { role: name(dialog.act.role) }),
              effect: text('members.own-role.effect'),
              send: text('members.own-role'),
            }}
            wanted={commandOf(dialog.row, dialog.act)}
            onClose={closed}
            onDone={(receipt) => say(sentenceOf(dialog.row, dialog.act), receipt)}
          />
        )}
        {typeof dialog === 'object' && 'id' in dialog && (
          <RemoveMemberDialog
            {...{ id, organization, resource, entitlements }}
            row={dialog}
            onClose={closed}
            onRemoved={(receipt) => removed(dialog, receipt)}
          />
        )}
      </>
    ),
    /**
     * The menu of a member, and the outcome of the member's last change; undefined if the person may change no member.
     */
    menuOf:
      may('ChangeRole') || may('FlagProductUser') || may('RemoveMember')
        ? (row: MemberRow): ReactNode => (
            <>
              <MemberMenu
                {...{ id, row }}
                isBusy={command.isBusy}
                onAct={(chosen) => act(row, chosen)}
                onShown={(isShown, hadFocus) => {
                  if (hadFocus) document.getElementById(heading)?.focus();
                  if (changed === row.id) setGone(!isShown);
                }}
              />
              {changed === row.id && <CommandNote command={command} />}
              {newLinkFor === row.id && (
                // The note above the list announces the same, but can be outside the window.
                <p aria-hidden="true" className={listStyles['note']}>
                  {text('members.new-link')}
                </p>
              )}
            </>
          )
        : undefined,
  };
}

/** A new role that the signed-in person has chosen for their own membership. */
type OwnRole = Readonly<{ row: MemberRow; act: Extract<MemberAct, { is: 'role' }> }>;

/**
 * The command that makes a change of a member. The type excludes `send-again`, because no command mails an invitation
 * again.
 */
function commandOf({ id: member }: MemberRow, act: Exclude<MemberAct, { is: 'send-again' }>): DirectCommand {
  if (act.is === 'role') return { type: 'ChangeRole', data: { member, role: act.role } };
  if (act.is === 'remove') return { type: 'RemoveMember', data: { member } };
  return { type: act.on ? 'FlagProductUser' : 'UnflagProductUser', data: { member } };
}
