import type { Receipt } from '@charter/client';
import { type Ref, useState } from 'react';
import { useStandingQuery } from '../api';
import listStyles from '../organization/lists/List.module.css';
import { UndoLink } from '../draft/undo/UndoLink';

/** The result of a change in words, with the service's receipt. Without a receipt, the page offers no undo. */
type ResultInWords = Readonly<{ said: string; receipt?: Receipt | undefined }>;

/** The result of the last change on a page or in a form. */
export function useResult() {
  const [result, setResult] = useState<ResultInWords>({ said: '' });
  return { result, say: (said: string, receipt?: Receipt) => setResult({ said, receipt }) };
}

type NoteOf = Readonly<{ id: string; result: ResultInWords; ref?: Ref<HTMLParagraphElement> }>;

/**
 * Announces the result of a change. For people who may read the history, the note has a link to the draft that undoes
 * the events of the change.
 * @param ref the element that gets the focus if the control of the change is gone
 */
export function DoneNote({ id, result: { said, receipt }, ref }: NoteOf) {
  const { data: standing } = useStandingQuery(id);
  const count = receipt?.events.length ?? 0;
  const mayUndo = count > 0 && standing?.reads.includes('history') === true;
  return (
    <div className={listStyles['note']}>
      <p ref={ref} role="status" tabIndex={-1}>
        {said}
      </p>
      {mayUndo && receipt && <UndoLink id={id} first={receipt.revision - count + 1} last={receipt.revision} />}
    </div>
  );
}
