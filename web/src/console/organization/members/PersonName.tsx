import tagStyles from '../../page-parts/Tag.module.css';
import { useConsoleConfig } from '../../page-config-context';
import { useWords } from '../../words';
import type { MemberRow } from './member-rows';

/**
 * The name of a member, or another text if the name is unknown. A right-to-left name does not reorder the text around
 * it.
 */
export function PersonName({
  member: { id, name, state },
}: Readonly<{ member: Pick<MemberRow, 'id' | 'name' | 'state'> }>) {
  const { text } = useWords();
  if (name !== null) return <bdi>{name}</bdi>;
  return state === 'erased' ? text('members.erased-person') : <code>{id}</code>;
}

/** The text “you” beside the name of the signed-in person. */
export function YouTag({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const { facts } = useConsoleConfig();
  if (facts.account !== id) return null;
  return <span className={tagStyles['tag']}>{text('members.you')}</span>;
}
