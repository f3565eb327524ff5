import { TroubleBox } from '../page-parts/TroubleBox';
import type { CallFailure } from '../problem';
import { useWords } from '../words';
import { isKnownRefusal, refusalInWords } from './refusal-words';

type FailureOf = Readonly<{ name: string; failure: CallFailure; retry: () => unknown }>;

/**
 * The message about a query that failed. For a refusal: its reason and what would help. For another failure: which
 * content is missing.
 */
export function RefusalOrTrouble({ name, failure, retry }: FailureOf) {
  const words = useWords();
  const { status, reason: type, problem } = failure;
  if ((status !== 400 && status !== 403) || !problem || !isKnownRefusal(type, words))
    return <TroubleBox name={name} trouble={failure} retry={retry} />;
  const { reason, help } = refusalInWords(problem, words);
  return (
    <p role="alert">
      {reason} {help}
    </p>
  );
}
