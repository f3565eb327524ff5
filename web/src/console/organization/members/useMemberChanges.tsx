import type { Entitlements, Receipt } from '@charter/client';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { OrganizationChange } from '../../api';
import { DoneNote, useResult } from '../../commands/DoneNote';
import { CommandNote } from '../../commands/CommandNote';
import { useCommand } from '../../commands/useCommand';
import { useRights } from '../../commands/useRights';
import type { LimitedResource } from '../../overview/Limits';
import { useConsoleConfig } from '../../page-config-context';
import controlStyles from '../../page-parts/Controls.module.css';
import { useSingleKey } from '../../page-parts/useSingleKey';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';
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
  /** Undefined until the answer has arrived. */
  entitlements: Entitlements | undefined;
  /** The id of the element that gets the focus after a member is removed. */
  heading: string;
}>;

/** The controls that change the members of an organization, and the outcome of the last change. */
export function useMemberChanges({ id, organization, resource, entitlements, heading }: ChangesOf) {
  const { text, name } = useWords();
  const { facts } = useConsoleConfig();
  const navigate = useNavigate();
  const { may } = useRights(id);
  const nameOf = useNameInSentence();
  const command = useCommand(id);
  const [changed, setChanged] = useState('');
  /** Whether the row of the changed member has disappeared. */
  const [isGone, setGone] = useState(false);
  const [dialog, setDialog] = useState<'invite' | MemberRow>();
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
    if (chosen.is === 'remove') {
      setDialog(row);
      return;
    }
    setChanged(row.id);
    command.run(changeOf(row, chosen), (receipt) => say(sentenceOf(row, chosen), receipt));
  };
  const sentenceOf = (row: MemberRow, chosen: DirectAct): string => {
    const [member, { product }] = [nameOf(row), facts];
    if (chosen.is === 'role') return text('members.done.role', { member, role: name(chosen.role) });
    if (chosen.is === 'send-again') return text('members.done.send-again', { member });
    return text(chosen.on ? 'members.done.product-user' : 'members.done.no-product-user', { member, product });
  };
  const closed = () => {
    setDialog(undefined);
    if (isRemoved.current) document.getElementById(heading)?.focus(); // the row with the pressed button is gone
    isRemoved.current = false;
  };
  const removed = (row: MemberRow, receipt: Receipt) => {
    isRemoved.current = true;
    if (row.id === facts.account) void navigate('/');
    else say(text('members.done.removed', { member: nameOf(row) }), receipt);
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
        {typeof dialog === 'object' && (
          <RemoveMemberDialog
            {...{ id, organization, resource, entitlements }}
            row={dialog}
            onClose={closed}
            onRemoved={(receipt) => removed(dialog, receipt)}
          />
        )}
      </>
    ),
    /** The menu of a member, and the outcome of the last change of this member; undefined without any right. */
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
            </>
          )
        : undefined,
  };
}

/** A change that begins without a dialog. */
type DirectAct = Exclude<MemberAct, { is: 'remove' }>;

function changeOf(row: MemberRow, act: DirectAct): OrganizationChange {
  if (act.is === 'send-again')
    return { method: 'POST', path: '/members', ask: () => ({ email: row.email, role: row.role }) };
  const ask = () => (act.is === 'role' ? { role: act.role } : { productUser: act.on });
  return { method: 'PATCH', path: `/members/${row.id}`, ask };
}
