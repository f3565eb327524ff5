import { useText, waitOf } from '../../text';
import type { LinkRefusal } from './linkThunks';
import { useBrowserPorts } from '../browser-ports';

const words: Readonly<Record<Exclude<LinkRefusal['reason'], 'invalid'>, string>> = {
  common: 'reset.refused.common',
  failed: 'reset.failed',
  name: 'invitation.refused.name',
  personal: 'reset.refused.personal',
  refused: 'reset.refused',
  'too-long': 'reset.refused.too-long',
  'too-many': 'login.too-many',
  'too-short': 'reset.refused.too-short',
  unavailable: 'login.unavailable',
  unreachable: 'reset.unreachable',
};

/** The message for a refusal. If the link itself is invalid, another page appears instead of this message. */
export function RefusalWords({ refusal }: Readonly<{ refusal: LinkRefusal | null }>) {
  const { facts } = useBrowserPorts();
  const text = useText();
  if (refusal === null || refusal.reason === 'invalid') return null;
  const { reason, retryAfter } = refusal;
  return (
    <p>
      {retryAfter === undefined
        ? text(words[reason], { product: facts.product })
        : text('login.too-many.wait', waitOf(retryAfter))}
    </p>
  );
}
