import { useParams } from 'react-router-dom';
import { useStandingQuery } from '../../api';
import { useWords } from '../../words';
import { MomentLink } from './MomentLink';

/**
 * A link to the page that lists each value that a part of the organization ever had. People who may not read the
 * history see no link.
 * @param path a JSON pointer in the form of the query parameter `path` of `GET …/changes`
 * @param of the name of the part, so that the links of a page have different names in a screen reader
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
