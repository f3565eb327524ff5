import type { Checkout } from '@charter/client';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { api, type CheckoutOf, useCheckoutQuery } from '../api';
import { refusalInWords } from '../commands/refusal-words';
import { OrganizationFrame } from '../organization/OrganizationFrame';
import cardStyles from '../page-parts/Card.module.css';
import { Region } from '../page-parts/Region';
import { isCallFailure } from '../problem';
import { useWords } from '../words';

/** The page asks the service at this interval, in milliseconds, and also after each new event of the organization. */
const ASKING_MS = 10_000;

/** The page to which the payment provider sends the browser. Only the answers of the service say what was bought. */
export default function CheckoutPage() {
  const { text } = useWords();
  return (
    <OrganizationFrame title={text('nav.checkout')} hasMoment={false}>
      {({ id }) => <CheckoutInAddress id={id} />}
    </OrganizationFrame>
  );
}

function CheckoutInAddress({ id }: Readonly<{ id: string }>) {
  const address = new URLSearchParams(useLocation().search);
  const session = address.get('session') ?? '';
  const isCancelled = address.has('cancelled');
  if (!/^cs_\w{1,200}$/.test(session)) return <State id={id} title={isCancelled ? 'checkout.left' : 'checkout.none'} />;
  return <OneCheckout key={session} {...{ id, session, isCancelled }} />;
}

function OneCheckout({ isCancelled, ...named }: CheckoutOf & Readonly<{ isCancelled: boolean }>) {
  const { id } = named;
  const { text } = useWords();
  const { data: known } = api.endpoints.checkout.useQueryState(named);
  const isOver = known?.state === 'granted' || known?.state === 'expired';
  const query = useCheckoutQuery(named, {
    ...{ refetchOnMountOrArgChange: true, refetchOnFocus: true },
    ...(!isOver && { pollingInterval: ASKING_MS, skipPollingIfUnfocused: true }),
  });
  const { error } = query;
  if (isCallFailure(error) && (error.status === 403 || error.status === 404))
    return <State id={id} title={error.status === 403 ? 'checkout.no-right' : 'checkout.none'} />;
  return (
    <Region<Checkout> name={text('nav.checkout')} query={query}>
      {(checkout) => <Progress {...{ id, checkout, isCancelled }} />}
    </Region>
  );
}

type ProgressOf = Readonly<{ id: string; checkout: Checkout; isCancelled: boolean }>;

function Progress({ id, checkout: { state, url, expires, granted, message, late }, isCancelled }: ProgressOf) {
  const words = useWords();
  const { text, number, minute } = words;
  const event = granted && (
    <p>
      {text(state === 'granted' ? 'checkout.granted.event' : 'checkout.waiting.part')}{' '}
      <Link to={`/org/${id}/history/${granted.revision}`}>#{number(granted.revision)}</Link>
    </p>
  );
  if (state === 'granted')
    return (
      <State id={id} title="checkout.granted">
        {event}
      </State>
    );
  if (state === 'waiting')
    return (
      <State id={id} title="checkout.waiting">
        <p>{reasonInWords(message?.reason ?? null, words)}</p>
        {message?.reason !== 'dismissed' && <p>{text('checkout.waiting.next')}</p>}
        {event}
      </State>
    );
  if (state === 'paid')
    return (
      <State id={id} title={late ? 'checkout.late' : 'checkout.paid'}>
        <p>{text(late ? 'checkout.waiting.next' : 'checkout.paid.next')}</p>
      </State>
    );
  if (state === 'expired') return <State id={id} title="checkout.expired" />;
  return (
    <State id={id} title={isCancelled ? 'checkout.left' : 'checkout.open'}>
      {url !== null && (
        <p>
          <a href={url}>{text('checkout.continue')}</a> {text('checkout.until', { moment: minute(expires) })}
        </p>
      )}
    </State>
  );
}

type StateOf = Readonly<{ id: string; /** The message id of the state. */ title: string; children?: ReactNode }>;

function State({ id, title, children }: StateOf) {
  const { text } = useWords();
  return (
    <section className={cardStyles['card']} aria-labelledby="state">
      <div role="status">
        <h2 id="state">{text(title)}</h2>
      </div>
      {children}
      <p className={cardStyles['next']}>
        <Link to={`/org/${id}/plan`}>{text('checkout.plan')}</Link>
      </p>
    </section>
  );
}

/**
 * Why Charter has not applied the message of the payment provider. A reason that this page does not know is a reason
 * for which the domain refuses a command, so the words for refusals describe it.
 */
function reasonInWords(reason: string | null, words: ReturnType<typeof useWords>): string {
  const { text, has } = words;
  if (reason === null) return text('checkout.reason.none');
  const id = `checkout.reason.${reason}`;
  return has(id) ? text(id) : refusalInWords({ type: `/problems/${reason}` }, words).reason;
}
