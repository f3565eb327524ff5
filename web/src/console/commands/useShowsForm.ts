import type { Limit } from '@charter/client';
import { useState } from 'react';

/**
 * Whether a dialog that adds an entry shows its form, or explains the limit instead. A dialog that has shown the form
 * continues to show it, with the typed text, even if another person then adds the last entry that the limit allows.
 */
export function useShowsForm({ remaining }: Pick<Limit, 'remaining'>): boolean {
  const [hasForm, setHasForm] = useState(remaining !== 0);
  if (!hasForm && remaining !== 0) setHasForm(true);
  return hasForm;
}
