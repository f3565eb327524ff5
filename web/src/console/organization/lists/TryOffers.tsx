import type { Offer } from '@charter/client';
import { TryLink } from '../plan/try/TryLink';
import { type FeatureReasons, isHeldOffer, offeredToday, offerInWords } from '../../overview/feature-reasons';
import { useWords } from '../../words';
import styles from './List.module.css';

type OffersOf = Readonly<{ id: string; feature: FeatureReasons; offers: readonly Offer[] | undefined }>;

/**
 * For each plan, add-on or service level that would turn a feature on: a link to the plan page, which previews this
 * purchase.
 */
export function TryOffers({ id, feature, offers = [] }: OffersOf) {
  const words = useWords();
  const { because } = feature;
  const others = offers.filter((offer) => !isHeldOffer(offer, because));
  if (others.length === 0 || offeredToday(feature, offers, words) === undefined) return null;
  return (
    <ul className={styles['rows']}>
      {others.map((offer) => (
        <li key={`${offer.kind} ${offer.what}`}>
          <TryLink id={id} wish={tried(offer)}>
            {words.text('try-more.offer', { offer: offerInWords(offer, because, words) })}
          </TryLink>
        </li>
      ))}
    </ul>
  );
}

/** The offer in the form of the query parameter `try`. */
function tried({ kind, what }: Offer): string {
  if (kind === 'plan') return what;
  return kind === 'add-on' ? `${what}:1` : `service:${what}`;
}
