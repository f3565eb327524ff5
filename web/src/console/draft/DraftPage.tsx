import { useLocation } from 'react-router-dom';
import { MomentLink } from '../organization/lists/MomentLink';
import { OrganizationFrame } from '../organization/OrganizationFrame';
import { useHeadingFocus } from '../../ui/useHeadingFocus';
import { useWords } from '../words';
import { Draft } from './Draft';
import { undoRequestIn } from './undo/undo-request';
import { UndoNote } from './undo/UndoNote';
import { useDraft } from './useDraft';

/** The page of a draft: the commands from the fragment of the address, with a preview of their effect. */
export default function DraftPage() {
  const { text } = useWords();
  return (
    <OrganizationFrame
      title={text('draft.page')}
      heading={({ organization: { data } }) => data && text('draft.title', { organization: data.name })}
    >
      {({ id }) => <DraftInAddress key={id} id={id} />}
    </OrganizationFrame>
  );
}

function DraftInAddress({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const { read, change } = useDraft(id);
  const address = new URLSearchParams(useLocation().search);
  const request = undoRequestIn(address);
  const undone = address.get('undo') ?? '';
  useHeadingFocus(undone); // the link to this undo is gone
  if (!read) return null;
  const { hash, reading } = read;
  const isEmpty = 'flaw' in reading && reading.flaw === 'none';
  const commands = 'commands' in reading ? reading.commands : [];
  const open = hash === '' ? change : undefined; // a draft that the person has emptied must stay empty
  return (
    <>
      {request && <UndoNote key={undone} {...{ id, request, commands, open }} />}
      {'flaw' in reading ? (
        !(request && isEmpty) && (
          <>
            <p role="alert">{text(`draft.${reading.flaw}`)}</p>
            {isEmpty && (
              <p>
                <MomentLink to={`/org/${id}/plan`}>{text('try-more.plans')}</MomentLink>
              </p>
            )}
          </>
        )
      ) : (
        <Draft {...{ id, hash, change, commands }} />
      )}
    </>
  );
}
