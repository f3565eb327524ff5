import { usePageMoment } from '../moment/usePageMoment';
import controlStyles from '../page-parts/Controls.module.css';
import { Title } from '../page-parts/Title';
import { useWords } from '../words';

/** The page of an organization whose newest events the service cannot read. Earlier moments are readable. */
export function UnreadableHistory({ title, revision }: Readonly<{ title: string; revision: number }>) {
  const { text, number } = useWords();
  const { show } = usePageMoment();
  return (
    <>
      <Title>{title}</Title>
      <p role="alert">{text('unreadable-history', { revision: number(revision) })}</p>
      {revision > 0 && (
        <button type="button" className={controlStyles['button']} onClick={() => show({ asOf: String(revision - 1) })}>
          {text('unreadable-history.before', { revision: number(revision - 1) })}
        </button>
      )}
    </>
  );
}
