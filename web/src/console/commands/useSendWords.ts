import { useDrafting } from '../drafting/drafting-context';
import { useText } from '../../text';

/** The words of a button that begins a change: these words, or, while a draft is open, that the change goes there. */
export function useSendWords(): (direct: string) => string {
  const text = useText();
  const { isOpen } = useDrafting();
  return (direct) => (isOpen ? text('drafting.add') : direct);
}
