import styles from './Proof.module.css';
import { useProofWords } from './useProofWords';

type ProgressOf = Readonly<{
  /** The name of the check, for assistive software. */
  name: string;
  done: number;
  /** The number of all events; undefined if the page does not know it before the end. */
  total?: number | undefined;
  /**
   * The finished part of the check between 0 and 1, if the page knows this part more exactly than from the number of
   * events.
   */
  share?: number | undefined;
  /** The milliseconds since the start of the check. */
  elapsed?: number;
}>;

/** The progress bar of a check, with the number of checked events and their rate. */
export function ProofProgress({ name, done, total, share, elapsed = 0 }: ProgressOf) {
  const { text, number } = useProofWords();
  const part = share ?? (total ? Math.min(1, done / total) : undefined);
  const rate = elapsed >= 500 ? Math.round((done * 1_000) / elapsed) : undefined;
  return (
    <div className={styles['progress']}>
      <progress aria-label={name} max={1} {...(part !== undefined && { value: part })} />
      <p aria-hidden="true">
        {total === undefined
          ? text('progress.events', { events: number(done) })
          : text('progress.of', { events: number(done), total: number(total) })}
        {rate !== undefined && ` · ${text('progress.rate', { rate: number(rate) })}`}
      </p>
    </div>
  );
}
