import { checkoutStates } from '@charter/billing';
import { At, Revision } from '@charter/organization-view';
import { z } from 'zod';
import { Commands } from '../../organizations/organization.requests';
import { Shown } from '../../organizations/previews/previews.answers';

/** The commands of the purchase, and the digest of the events that a preview has shown. */
export const CheckoutRequest = Commands.extend({ shown: Shown });

/** The id of a checkout: the id of the session at the payment provider. */
export const CheckoutId = z.string().regex(/^cs_\w{1,200}$/, 'is not the id of a checkout');

const id = z.string().meta({ description: "The payment provider's id of the checkout session" });
const expires = At.meta({ description: 'The moment at which the payment provider closes an unpaid session' });
const url = z.string().meta({ description: "The URL of the payment provider's page" });
const example = { id: 'cs_live_a1', expires: '2026-11-24T10:00:00.000Z' };

export const NewCheckoutAnswer = z
  .strictObject({ id, url, expires })
  .meta({ id: 'NewCheckout', examples: [{ ...example, url: 'https://checkout.stripe.com/c/pay/cs_live_a1' }] });

export const CheckoutAnswer = z
  .strictObject({
    id,
    state: z.enum(checkoutStates),
    url: url.nullable().meta({ description: "The URL of the payment provider's page while the checkout is open" }),
    expires,
    granted: z
      .strictObject({ revision: Revision })
      .nullable()
      .meta({ description: 'The revision at which the plans and add-ons of the payment were recorded' }),
    message: z
      .strictObject({ id: z.string(), received: At, reason: z.string().nullable() })
      .nullable()
      .meta({ description: 'The waiting message of the payment provider, and the reason why it waits' }),
    late: z.boolean().meta({
      description: 'Whether the checkout is paid and began 15 minutes ago or earlier, but no message has arrived',
    }),
  })
  .meta({
    id: 'Checkout',
    examples: [{ ...example, state: 'granted', url: null, granted: { revision: 5 }, message: null, late: false }],
  });
