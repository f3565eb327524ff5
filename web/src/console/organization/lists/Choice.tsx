import { useShownAtOnce } from '../../page-parts/useShownAtOnce';
import { useWords } from '../../words';
import styles from './List.module.css';

type ChoiceOf = Readonly<{
  label: string;
  value: string;
  /** The words of the first option, whose value is empty; without these words, the option means all. */
  none?: string;
  /** The other options, each with its value and its words. */
  options: readonly (readonly [value: string, words: string])[];
  onChange: (value: string) => void;
}>;

/** A list from which a person chooses a filter or an order. */
export function Choice({ label, value, none, options, onChange }: ChoiceOf) {
  const { text } = useWords();
  const [shown, choose] = useShownAtOnce(value, onChange);
  const known = options.some(([option]) => option === shown);
  return (
    <label className={styles['choice']}>
      <span>{label}</span>
      <select value={known ? shown : ''} onChange={({ target }) => choose(target.value)}>
        <option value="">{none ?? text('list.all')}</option>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
