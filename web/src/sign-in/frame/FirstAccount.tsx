import { useText } from '../../text';

/**
 * Explains how to create the first operator. Every log-in page contains this explanation, but the style sheet shows it
 * only if the server replaces the placeholder by `on`. Only the prerendered document contains it, so that the scripts
 * of the page stay small.
 */
export function FirstAccount() {
  const text = useText();
  return (
    <aside className="first-account" data-first="{{first-account}}" aria-label={text('first.title')}>
      <p>{text('first.create')}</p>
      <p>
        <code>./charter accounts create --email you@example.com --role operator</code>
      </p>
      <p>{text('first.link')}</p>
    </aside>
  );
}
