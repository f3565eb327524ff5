import { ChevronDown } from 'lucide-react';
import { useEffectEvent, useId, useLayoutEffect } from 'react';
import { Link } from 'react-router-dom';
import { useStandingQuery } from '../../api';
import { useRights } from '../../commands/useRights';
import { useDrafting } from '../../drafting/drafting-context';
import menuStyles from '../../frame/AccountMenu.module.css';
import { MenuChoice, MenuGroup } from '../../frame/MenuItems';
import { useMenu } from '../../frame/useMenu';
import { useConsoleConfig } from '../../page-config-context';
import { useWords } from '../../words';
import { type MemberRow, memberRoles } from './member-rows';
import { PersonName } from './PersonName';
import { useNameInSentence } from './useNameInSentence';

/** A change of one member that a person chooses in the menu. */
export type MemberAct =
  | Readonly<{ is: 'role'; role: MemberRow['role'] }>
  | Readonly<{ is: 'product-user'; on: boolean }>
  | Readonly<{ is: 'send-again' }>
  | Readonly<{ is: 'remove' }>;

type MenuOf = Readonly<{
  id: string;
  row: MemberRow;
  isBusy: boolean;
  onAct: (act: MemberAct) => void;
  /** Runs when the row appears, and when it disappears. `hadFocus`: whether the row contained the focus. */
  onShown: (isShown: boolean, hadFocus: boolean) => void;
}>;

/**
 * The menu of a member, with the changes that the signed-in person may make, and a link to the member's history. If the
 * signed-in person may make no change, there is no menu; the member's own page also has the link.
 */
export function MemberMenu({ id, row, isBusy, onAct, onShown }: MenuOf) {
  const { text, name } = useWords();
  const { facts } = useConsoleConfig();
  const nameOf = useNameInSentence();
  const acts = useMemberActs(id, row);
  const { isOpen: isDrafting } = useDrafting();
  const { isOpen, root, button, press, toggle } = useMenu();
  const menu = useId();
  const report = useEffectEvent(onShown);
  useLayoutEffect(() => {
    const shown = root.current;
    report(true, false);
    return () => report(false, shown?.contains(document.activeElement) === true);
  }, [root]);
  if (!acts.some) return null;
  const choose = (act: MemberAct) => {
    toggle(); // closes the menu, and moves the focus back to its button
    onAct(act);
  };
  return (
    <div ref={root} className={menuStyles['menu']} onKeyDown={press}>
      <button
        ref={button}
        type="button"
        className={menuStyles['button']}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menu : undefined}
        aria-busy={isBusy}
        onClick={toggle}
      >
        {text('members.change')}{' '}
        <span className="unseen">
          <PersonName member={row} />
        </span>
        <ChevronDown size={18} />
      </button>
      {isOpen && (
        <div className={menuStyles['sheet']} data-of="row">
          <div id={menu} role="menu" aria-label={text('members.change.of', { member: nameOf(row) })}>
            {acts.roles.length > 0 && (
              <MenuGroup name={text('members.role')}>
                {acts.roles.map((role) => (
                  <MenuChoice key={role} isChosen={role === row.role} onChoose={() => choose({ is: 'role', role })}>
                    {name(role)}
                  </MenuChoice>
                ))}
              </MenuGroup>
            )}
            {acts.productUser && (
              <MenuChoice
                role="menuitemcheckbox"
                isChosen={row.isProductUser}
                onChoose={() => choose({ is: 'product-user', on: !row.isProductUser })}
              >
                {text('members.product-user', { product: facts.product })}
              </MenuChoice>
            )}
            {acts.sendAgain && (
              <button type="button" role="menuitem" tabIndex={-1} onClick={() => choose({ is: 'send-again' })}>
                {text('members.send-again')}
              </button>
            )}
            {acts.history && (
              <Link to={`/org/${id}/history?about=/members/${row.id}`} role="menuitem" tabIndex={-1}>
                {text('member.history')}
              </Link>
            )}
            {acts.remove && (
              <button type="button" role="menuitem" tabIndex={-1} onClick={() => choose({ is: 'remove' })}>
                {text(removalWords(facts.account === row.id, row.state === 'invited')[isDrafting ? 0 : 1])}
              </button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/**
 * The message ids for the menu item that removes a member: `drafted` while a draft is open; otherwise `asked`, because
 * the item then opens a dialog.
 */
function removalWords(isSelf: boolean, isInvited: boolean): readonly [drafted: string, asked: string] {
  if (isSelf) return ['members.leave', 'members.leave.menu'];
  return isInvited ? ['members.take-back', 'members.take-back.menu'] : ['members.remove', 'members.remove.menu'];
}

/** The changes of a member that the signed-in person may make. */
function useMemberActs(id: string, { role, state, email }: MemberRow) {
  const { may, grants } = useRights(id);
  const isTheirs = grants.includes(role);
  const roles = may('ChangeRole') && isTheirs ? memberRoles.filter((one) => grants.includes(one)) : [];
  const productUser = may('FlagProductUser') && may('UnflagProductUser');
  const sendAgain = may('AddMember') && isTheirs && state === 'invited' && email !== null;
  const remove = may('RemoveMember') && isTheirs;
  const { data: standing } = useStandingQuery(id);
  const history = standing?.reads.includes('history') === true;
  return {
    roles,
    productUser,
    sendAgain,
    remove,
    history,
    some: roles.length > 0 || productUser || sendAgain || remove,
  };
}
