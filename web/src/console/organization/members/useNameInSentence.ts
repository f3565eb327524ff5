import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';
import type { MemberRow } from './member-rows';

/** Returns a function that names a member in a sentence. A member without a known name has the id. */
export function useNameInSentence() {
  const { text } = useWords();
  return ({ id, name, state }: Pick<MemberRow, 'id' | 'name' | 'state'>): string => {
    if (name !== null) return typed(name);
    return state === 'erased' ? text('members.erased-person') : id;
  };
}
