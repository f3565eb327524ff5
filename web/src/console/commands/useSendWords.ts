import { useDrafting } from '../drafting/drafting-context';
import { useText } from '../../text';

/**
 * Returns the words of a button that begins a change. While a draft is open, the words say that the button adds the
 * change to the draft; otherwise the function returns `direct`.
 */
export function useSendWords(): (direct: string) => string {
  const text = useText();
  const { isOpen } = useDrafting();
  return (direct) => (isOpen ? text('drafting.add') : direct);
}
