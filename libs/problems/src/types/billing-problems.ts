import type { ProblemText } from './problem-text';

/** The problems of billing: messages of the payment provider, customers and checkouts. */
export const billingProblems = {
  'not-signed': {
    title: 'The signature is missing or wrong',
    meaning:
      'A message of the payment provider has no valid signature. On the command line, the event log does not agree with its earlier signature.',
    remedy:
      'Compare the setting `STRIPE_WEBHOOK_SECRETS` with the secret at the provider. On the command line, follow the sentence in `detail`.',
  },
  'customer-taken': {
    title: 'The customer belongs to another organization',
    meaning: 'A customer of the payment provider belongs to at most one organization.',
    remedy: 'Check the customer. Or name another customer for this organization.',
  },
  'no-such-message': {
    title: 'There is no such message',
    meaning: 'The service has stored no billing message with this id.',
    remedy: 'List the messages in quarantine, and name one of them.',
  },
  'not-quarantined': {
    title: 'The message is not in quarantine',
    meaning: 'The message was already applied, dismissed or ignored. The field `state` says which.',
    remedy: 'No action is needed. List the messages in quarantine to see the messages that wait.',
  },
  'no-checkout': {
    title: 'This installation sells nothing online',
    meaning: 'The installation has no payment provider, so no checkout can start.',
    remedy: 'Ask an operator for the plan or add-on. Operators configure the provider with `STRIPE_SECRET_KEY`.',
  },
  'no-such-checkout': {
    title: 'There is no such checkout',
    meaning: 'The organization has no checkout with this id.',
    remedy: 'Check the id, or start a new checkout.',
  },
  'not-sold-online': {
    title: 'A checkout cannot sell some of the commands',
    meaning:
      'Some commands sell nothing, or sell an offer without a price at the payment provider. `items` lists them.',
    remedy: 'Start the checkout without these commands. Ask an operator for these offers.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
