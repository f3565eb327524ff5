import type { ReactNode } from 'react';
import { useStandingQuery } from '../../api';
import { useWords } from '../../words';
import { useOwnerNames } from '../members/useOwnerNames';

/**
 * Shows its children to people with the right to audit. Other members see a text with the names of owners whom they can
 * ask.
 */
export function ForAuditors({ id, children }: Readonly<{ id: string; children: ReactNode }>) {
  const { data: standing } = useStandingQuery(id);
  if (!standing) return null;
  return standing.reads.includes('history') ? children : <AskOwners id={id} />;
}

function AskOwners({ id }: Readonly<{ id: string }>) {
  const { text, oneOf } = useWords();
  const owners = useOwnerNames(id);
  return <p>{owners.length > 0 ? text('history.ask', { owners: oneOf(owners) }) : text('history.refused')}</p>;
}
