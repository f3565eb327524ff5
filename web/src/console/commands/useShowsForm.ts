import type { Limit } from '@charter/client';
import { useState } from 'react';

/**
 * Whether a dialog that adds a member, a site or a domain shows its form. A dialog without a form explains the limit.
 * An open form and its typed text stay, even if another person uses up the limit.
 */
export function useShowsForm({ remaining }: Pick<Limit, 'remaining'>): boolean {
  const [hasForm, setHasForm] = useState(remaining !== 0);
  if (!hasForm && remaining !== 0) setHasForm(true);
  return hasForm;
}
