import { type ComponentProps, lazy, type MouseEvent, Suspense, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { DRAFT_NAME, draftIn } from '../address/draft-fragment';
import { useDrafting } from '../../drafting/drafting-context';
import { WithWords } from '../../organization/later-words';

const ReplaceDraft = lazy(() => import('../../drafting/ReplaceDraft'));

type UndoOf = Omit<ComponentProps<typeof Link>, 'to' | 'onClick'> &
  Readonly<{
    id: string;
    /** The events to undo, as the query string of the draft page (`undo-request.ts`). */
    query: string;
  }>;

/**
 * A link to the draft that undoes events. While another draft is open, a dialog first asks whether to replace that
 * draft. The component must not be inside a paragraph (`<p>`), because HTML allows no dialog there.
 */
export function UndoTo({ id, query, ...link }: UndoOf) {
  const navigate = useNavigate();
  const { hasEnded } = useDrafting();
  const draft = draftIn(useLocation().hash);
  const [isAsked, setAsked] = useState(false);
  const to = `/org/${id}/draft?${query}`;
  const ask = (event: MouseEvent) => {
    const isOpen = draft !== undefined && draft !== DRAFT_NAME && !hasEnded();
    if (!isOpen || opensElsewhere(event)) return;
    event.preventDefault();
    setAsked(true);
  };
  const replace = () => {
    setAsked(false);
    void navigate(to);
  };
  return (
    <>
      <Link {...link} to={to} onClick={ask} />
      {isAsked && (
        <Suspense fallback={null}>
          <WithWords group="commands">
            <ReplaceDraft onReplace={replace} onClose={() => setAsked(false)} />
          </WithWords>
        </Suspense>
      )}
    </>
  );
}

/** Whether the browser opens the link in another tab or window, where no draft is open. */
const opensElsewhere = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button !== 0 || altKey || ctrlKey || metaKey || shiftKey;
