import type { ProblemText } from './problem-text';

/** The problems of accounts: signing in, the person's own account, and the routes for operators. */
export const accountProblems = {
  'sign-in-refused': {
    title: 'The username or the password is wrong',
    meaning: 'No account has this username or e-mail address with this password, or the account may not sign in.',
    remedy: 'Check both values. To set a new password, request a link with "Forgot your password?".',
  },
  'wrong-password': {
    title: 'The password is wrong',
    meaning:
      'The change needs the password of the signed-in person, and the request contains another password. `why` is `no-password` if the person has no password.',
    remedy: 'Send the right password. A person without a password sets one with "Forgot your password?" first.',
  },
  'password-refused': {
    title: 'The new password is too weak',
    meaning: 'The new password breaks a rule: it is too short, too long or easy to guess. `because` names the rule.',
    remedy: 'Choose another password. A long password of several unrelated words is good.',
  },
  'reset-link-invalid': {
    title: 'The link does not work any more',
    meaning: 'The link was used before, has expired, was replaced by a newer link, or was copied incompletely.',
    remedy: 'Request a new link with "Forgot your password?". For a new invitation, ask the person who invited you.',
  },
  'changed-meanwhile': {
    title: 'The account has changed meanwhile',
    meaning: 'Another request has changed the account since this request read it. This request changed nothing.',
    remedy: 'Load the page again. Then make the change again.',
  },
  'email-taken': {
    title: 'Another account has this e-mail address',
    meaning: 'Each e-mail address belongs to at most one account, and another account already has this address.',
    remedy: 'Use another e-mail address, or sign in to the other account.',
  },
  'username-taken': {
    title: 'Another account has this username',
    meaning: 'Each username belongs to at most one account, and another account already has this username.',
    remedy: 'Choose another username.',
  },
  'own-account': {
    title: 'An operator cannot do this to their own account',
    meaning: 'With this change, the operator could no longer manage this installation.',
    remedy: 'Ask another operator to make the change.',
  },
  'account-disabled': {
    title: 'The account is disabled',
    meaning: 'An operator has disabled the account, so the account gets no links.',
    remedy: 'Enable the account first: `charter accounts enable`.',
  },
  'no-such-account': {
    title: 'There is no such account',
    meaning: 'No account has this id, e-mail address or username. An erased account also counts as missing.',
    remedy: 'List the accounts, and name one of them.',
  },
  'no-such-key': {
    title: 'There is no such API key',
    meaning: 'No API key has this id.',
    remedy: 'List the API keys, and name one of them.',
  },
  'no-such-session': {
    title: 'There is no such session',
    meaning: 'The account has no session with this id. The session may have ended already.',
    remedy: 'List the sessions of the account again.',
  },
  'no-such-mail': {
    title: 'There is no such failed mail',
    meaning: 'No failed mail has this id. The service may have sent the mail already.',
    remedy: 'List the failed mails again.',
  },
  'link-expired': {
    title: 'The link in the mail has expired',
    meaning: 'The failed mail contains a link that does not work any more, so the service does not send the mail.',
    remedy: 'Ask the recipient to request a new link.',
  },
  'erased-data-remains': {
    title: 'The erased account has no certificate yet',
    meaning:
      'The account is erased. A file of the database still contains erased data, or the service cannot write the certificate.',
    remedy: 'The service tries again later. To get the certificate, erase the account again.',
  },
  'domain-refused': {
    title: 'No organization can prove this domain',
    meaning:
      'The domain is a public suffix, belongs to a mail provider, or has no known suffix. No organization can own it.',
    remedy: 'Send the domain of your own e-mail addresses, for example `acme.com`.',
  },
  'domain-taken': {
    title: 'Another organization has proven the domain',
    meaning: 'A domain belongs to one organization. Another organization has already proven the domain.',
    remedy:
      'If your domain still has a DNS record of another organization, delete that record. Check again after 14 days.',
  },
  'provider-unreachable': {
    title: 'The sign-in provider does not answer',
    meaning: 'The service could not read the configuration of the OpenID Connect provider. Nothing was stored.',
    remedy: 'Check the address in `issuer`, and that the service can reach it. Then send the request again.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
