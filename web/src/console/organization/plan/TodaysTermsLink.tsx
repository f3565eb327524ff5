import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { draftAddress } from '../../draft/address/draft-address';
import { useWords } from '../../words';
import type { productLines } from './useSoldTerms';

type LinkOf = Readonly<{ id: string; line: (typeof productLines)[number]; plan: string }>;

/** A link to a draft that assigns a held plan on the terms of today's catalogue. */
export function TodaysTermsLink({ id, line, plan }: LinkOf) {
  const { text, planOfLine } = useWords();
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const renewal = { type: 'AssignPlan', data: { line, plan, terms: 'today' } };
    void draftAddress(id, [renewal]).then(setAddress);
  }, [id, line, plan]);
  if (address === undefined) return null;
  return (
    <p>
      <Link to={address}>{text('terms.try-today', { plan: planOfLine(line, plan) })}</Link>
    </p>
  );
}
