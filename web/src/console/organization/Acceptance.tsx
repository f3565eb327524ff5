import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { useMeQuery } from '../api';
import { isPastMoment } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';
import { Waits } from '../page-parts/Region';
import { AcceptanceCard } from './AcceptanceCard';

/**
 * Asks a person who was added by id to accept the membership. Before the acceptance, the other members do not see this
 * person's name and e-mail address. The console never shows the names of people with a platform role, so the console
 * does not ask these people. The page shows its other parts only after the browser knows whether it shows the card, and
 * the card stays after the acceptance. So the card never moves the page.
 */
export function Acceptance() {
  const { id = '' } = useParams();
  const query = useMeQuery(undefined);
  const { data: me } = query;
  const { moment } = usePageMoment();
  const [isShown, setShown] = useState(false);
  const isOpen = me?.role === null && me.organizations.some((one) => one.id === id && !one.accepted);
  if (!me) return <Waits {...query} />;
  if (isOpen && !isShown) setShown(true);
  if (!isShown || isPastMoment(moment)) return null; // a page of the past has no control that changes data
  return <AcceptanceCard id={id} isAccepted={!isOpen} />;
}
