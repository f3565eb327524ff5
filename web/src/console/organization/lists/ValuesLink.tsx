import { useParams } from 'react-router-dom';
import { useStandingQuery } from '../../api';
import { useWords } from '../../words';
import { MomentLink } from './MomentLink';

/**
 * A link to each value that a part of the organization had. People who may not read the history see no link.
 * @param path a JSON pointer in the form of the query parameter `path` of `GET …/changes`
 * @param of the name of the part, so that screen readers tell the links of a page apart
 */
export function ValuesLink({ path, of }: Readonly<{ path: string; of: string }>) {
  const { text } = useWords();
  const { id = '' } = useParams();
  const { data: standing } = useStandingQuery(id);
  if (standing?.reads.includes('history') !== true) return null;
  return (
    <MomentLink to={`/org/${id}/changes`} query={{ path }}>
      {text('why.values')} <span className="unseen">({of})</span>
    </MomentLink>
  );
}
