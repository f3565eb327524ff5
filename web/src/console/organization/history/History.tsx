import { useParams } from 'react-router-dom';
import { isRevision } from '../../moment/page-moment';
import { useWords } from '../../words';
import { OrganizationFrame } from '../OrganizationFrame';
import { EventView } from './event/EventView';
import { HistoryList } from './list/HistoryList';
import { ForAuditors } from './ForAuditors';

/** The page of an organization's history, or the page of one event. */
export default function History() {
  const { text, number } = useWords();
  const { revision } = useParams();
  // An address without a number names no event.
  const title = isRevision(revision ?? '')
    ? text('event-page.title', { revision: number(Number(revision)) })
    : text('history.title');
  return (
    <OrganizationFrame title={title} hasMoment={revision === undefined}>
      {({ id }) => (
        <ForAuditors id={id}>
          {revision === undefined ? (
            <HistoryList id={id} key={id} />
          ) : (
            <EventView id={id} revision={revision} key={revision} />
          )}
        </ForAuditors>
      )}
    </OrganizationFrame>
  );
}
