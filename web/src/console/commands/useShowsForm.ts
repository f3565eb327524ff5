import type { Limit } from '@charter/client';
import { useState } from 'react';

/**
 * Whether a dialog that adds a member, a site or a domain shows its form; if not, the dialog explains the limit. After
 * the first form, the form and its typed text stay, even if another person then uses up the limit.
 */
export function useShowsForm({ remaining }: Pick<Limit, 'remaining'>): boolean {
  const [hasForm, setHasForm] = useState(remaining !== 0);
  if (!hasForm && remaining !== 0) setHasForm(true);
  return hasForm;
}
