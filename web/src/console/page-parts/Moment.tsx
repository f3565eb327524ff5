import { useWords } from '../words';

type MomentOf = Readonly<{
  /** The moment in ISO form. If a person copies the printed moment, the clipboard gets this form. */
  at: string;
  as?: 'day' | 'time' | 'minute' | 'second';
  className?: string | undefined;
}>;

/** A moment in the chosen time zone. */
export function MomentText({ at, as = 'second', className }: MomentOf) {
  const words = useWords();
  return (
    <time dateTime={at} title={at} className={className}>
      {words[as](at)}
    </time>
  );
}

/** A placeholder for the moment in the text of a message. No message contains this character. */
export const MOMENT = '\u0000';

type SentenceOf = MomentOf &
  Readonly<{
    /** A message with `MOMENT` in place of the moment. */
    of: string;
  }>;

/** A sentence that contains a moment. */
export function Sentence({ of, ...moment }: SentenceOf) {
  const [before, after] = of.split(MOMENT);
  return (
    <>
      {before}
      <MomentText {...moment} />
      {after}
    </>
  );
}
