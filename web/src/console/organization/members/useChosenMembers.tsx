import { type ReactNode, useId, useState } from 'react';
import { CommandNote } from '../../commands/CommandNote';
import { useCommand } from '../../commands/useCommand';
import { useRights } from '../../commands/useRights';
import type { DraftCommand } from '../../draft/address/draft-address';
import { useDrafting } from '../../drafting/drafting-context';
import { useConsoleConfig } from '../../page-config-context';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';
import listStyles from '../lists/List.module.css';
import { type MemberRow, memberRoles } from './member-rows';
import { useNameInSentence } from './useNameInSentence';

/** A change in the drop-down list, and the command that makes this change for one member. */
type Change = Readonly<{ value: string; words: string; commandOf: (member: string) => DraftCommand }>;

/**
 * Manages the members that a person has chosen with checkboxes. A form adds the same command for each chosen member to
 * a draft.
 * @param rows all members at present, also the members that the filter of the list hides
 * @param heading the id of the list's heading, which gets the focus when the form disappears
 */
export function useChosenMembers(id: string, rows: readonly MemberRow[], heading: string) {
  const { text, number } = useWords();
  const nameOf = useNameInSentence();
  const changes = useChanges(id);
  const command = useCommand(id);
  const { isOpen: isDrafting } = useDrafting();
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState('');
  const selectId = useId();
  const chosen = rows.filter((row) => chosenIds.has(row.id));
  const change = changes.find(({ value }) => value === wanted) ?? changes[0];
  const choose = (member: string, isChosen: boolean) => {
    const next = new Set(chosenIds);
    if (isChosen) next.add(member);
    else next.delete(member);
    setChosenIds(next);
  };
  const chooseNone = () => {
    document.getElementById(heading)?.focus(); // the form with the pressed button disappears
    setChosenIds(new Set());
  };
  const toDraft = () => {
    if (change)
      void command.toDraft(
        chosen.map((row) => change.commandOf(row.id)),
        chooseNone,
      );
  };
  return {
    /** The form for the chosen members, and a text with their number for a screen reader. */
    form: (
      <>
        <p role="status" className="unseen">
          {chosen.length > 0 && text('members.chosen', { count: chosen.length, number: number(chosen.length) })}
        </p>
        {chosen.length > 0 && change && (
          <div className={listStyles['filters']}>
            <label className={listStyles['choice']} htmlFor={selectId}>
              <span>{text('members.chosen', { count: chosen.length, number: number(chosen.length) })}</span>
              <select id={selectId} value={change.value} onChange={({ target }) => setWanted(target.value)}>
                {changes.map(({ value, words }) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" className={controlStyles['button']} onClick={toDraft}>
              {text(isDrafting ? 'drafting.add' : 'members.chosen.draft')}
            </button>
            <button type="button" className={controlStyles['button']} onClick={chooseNone}>
              {text('members.choose-none')}
            </button>
          </div>
        )}
        <CommandNote command={command} />
      </>
    ),
    /** The checkbox of a member; undefined if the signed-in person may change no member. */
    checkBoxOf:
      changes.length > 0
        ? (row: MemberRow): ReactNode => (
            <input
              type="checkbox"
              className={listStyles['box']}
              aria-label={text('members.choose', { member: nameOf(row) })}
              checked={chosenIds.has(row.id)}
              onChange={({ target }) => choose(row.id, target.checked)}
            />
          )
        : undefined,
  };
}

/** The changes that the signed-in person may make for several members at once. */
function useChanges(id: string): readonly Change[] {
  const { text, name } = useWords();
  const { product } = useConsoleConfig().facts;
  const { may, grants } = useRights(id);
  const roles = may('ChangeRole') ? memberRoles.filter((role) => grants.includes(role)) : [];
  return [
    ...roles.map((role) => ({
      value: role,
      words: text('members.chosen.role', { role: name(role) }),
      commandOf: (member: string): DraftCommand => ({ type: 'ChangeRole', data: { member, role } }),
    })),
    ...(['FlagProductUser', 'UnflagProductUser'] as const)
      .filter((type) => may(type))
      .map((type) => ({
        value: type,
        words: text(type === 'FlagProductUser' ? 'members.chosen.product-user' : 'members.chosen.no-product-user', {
          product,
        }),
        commandOf: (member: string): DraftCommand => ({ type, data: { member } }),
      })),
    ...(may('RemoveMember')
      ? [
          {
            value: 'RemoveMember',
            words: text('members.remove'),
            commandOf: (member: string): DraftCommand => ({ type: 'RemoveMember', data: { member } }),
          },
        ]
      : []),
  ];
}
