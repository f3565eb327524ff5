import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';
import type { MemberRow } from './member-rows';

/** Returns a function that names a member in a sentence. Without a known name, it returns the id or “Erased person”. */
export function useNameInSentence() {
  const { text } = useWords();
  return ({ id, name, state }: Pick<MemberRow, 'id' | 'name' | 'state'>): string => {
    if (name !== null) return typed(name);
    return state === 'erased' ? text('members.erased-person') : id;
  };
}
