import { OrganizationFrame } from '../organization/OrganizationFrame';
import { useWords } from '../words';
import { Draft } from './Draft';
import { useDraft } from './useDraft';

/** A list of commands from the address, with a preview of their effect. */
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
  if (!read) return null;
  const { hash, reading } = read;
  if ('flaw' in reading) return <p role="alert">{text(flaws[reading.flaw])}</p>;
  return <Draft {...{ id, hash, change }} commands={reading.commands} />;
}

const flaws = {
  none: 'draft.none',
  foreign: 'draft.foreign',
  broken: 'draft.broken',
  'too-long': 'draft.too-long',
  'too-many': 'draft.too-many',
  'e-mail-address': 'draft.e-mail-address',
} as const;
