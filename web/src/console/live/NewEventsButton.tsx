import controlStyles from '../page-parts/Controls.module.css';
import { useText } from '../../text';
import styles from './NewEventsButton.module.css';

type NewEventsOf = Readonly<{
  count: number;
  /** Whether there are more new events than `count`. */
  more?: boolean;
  onShow: () => void;
  /** Whether the button floats above the page, so that it moves no content. */
  isFloating?: boolean;
}>;

/**
 * A button with the number of events that were recorded while the person reads the page. The rows stay unchanged until
 * the person presses the button.
 */
export function NewEventsButton({ count, more = false, onShow, isFloating = false }: NewEventsOf) {
  const text = useText();
  return (
    <span role="status" className={isFloating ? styles['floating'] : undefined}>
      {count > 0 && (
        <button type="button" className={controlStyles['button']} onClick={onShow}>
          {text('live.new', { count, more: String(more) })}
        </button>
      )}
    </span>
  );
}
