import { useDrafting } from '../drafting/drafting-context';
import { useText } from '../../text';

/**
 * Returns the words of a button that begins a change: `direct`, or, while a draft is open, that the draft gets the
 * change.
 */
export function useSendWords(): (direct: string) => string {
  const text = useText();
  const { isOpen } = useDrafting();
  return (direct) => (isOpen ? text('drafting.add') : direct);
}
