import type { Entitlements, Receipt } from '@charter/client';
import { CommandDialog } from '../../commands/CommandDialog';
import { useCommand } from '../../commands/useCommand';
import type { LimitedResource } from '../../overview/Limits';
import { useConsoleConfig } from '../../page-config-context';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';
import type { MemberRow } from './member-rows';
import { useNameInSentence } from './useNameInSentence';

type RemoveOf = Readonly<{
  id: string;
  /** The name of the organization. */
  organization: string;
  row: MemberRow;
  /** The resource that limits the number of members. */
  resource: LimitedResource;
  entitlements: Entitlements | undefined;
  onClose: () => void;
  onRemoved: (receipt: Receipt) => void;
}>;

/**
 * The dialog that asks before the page removes a member or takes back an invitation, or before the signed-in person
 * leaves the organization.
 */
export function RemoveMemberDialog({ id, organization, row, resource, entitlements, onClose, onRemoved }: RemoveOf) {
  const { text, number } = useWords();
  const { facts } = useConsoleConfig();
  const member = useNameInSentence()(row);
  const command = useCommand(id);
  const users = entitlements?.limits[resource];
  const isSelf = facts.account === row.id;
  const isInvited = row.state === 'invited';
  const names = { member, organization: typed(organization) };
  const remove = () => command.runOrDraft({ type: 'RemoveMember', data: { member: row.id } }, onRemoved);
  return (
    <CommandDialog
      title={text(
        isSelf ? 'members.leave.title' : isInvited ? 'members.take-back.title' : 'members.remove.title',
        names,
      )}
      send={text(isSelf ? 'members.leave' : isInvited ? 'members.take-back' : 'members.remove')}
      {...{ command, onClose }}
      onSend={remove}
      takesAway
    >
      <p>
        {text(
          isSelf ? 'members.leave.effect' : isInvited ? 'members.take-back.effect' : 'members.remove.effect',
          names,
        )}
      </p>
      {users && users.limit !== null && (
        <p>{text('members.invite.then', { used: number(users.used - 1), limit: number(users.limit) })}</p>
      )}
    </CommandDialog>
  );
}
