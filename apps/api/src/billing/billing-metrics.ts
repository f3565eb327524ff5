import type { BillingInbox } from '@charter/database';
import { Counter, type Registry } from 'prom-client';
import { gauge } from '../process/observability/metrics';

/** What is counted of billing. Labels are closed words (`acceptance.md` T7): `stripe` or `cloudevents`, and outcomes. */
export type BillingMetrics = Readonly<{
  /** A message, and what became of it. */
  taken: (provider: string, outcome: string) => void;
  /** One that waits for somebody from now on. */
  quarantined: (provider: string) => void;
}>;

export function createBillingMetrics(registry: Registry, inbox: Pick<BillingInbox, 'countOpen'>): BillingMetrics {
  const registers = [registry];
  const messages = new Counter({
    name: 'charter_billing_messages_total',
    help: 'Messages of payment providers, by what became of them',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const quarantined = new Counter({
    name: 'charter_billing_quarantined_total',
    help: 'Messages of payment providers that came to wait for somebody',
    labelNames: ['provider'],
    registers,
  });
  // A series that begins with its first message shows no increase when that one waits.
  for (const provider of ['stripe', 'cloudevents']) quarantined.inc({ provider }, 0);
  const counted = async (state: 'quarantined' | 'received') => (await inbox.countOpen())[state];
  const [waiting, unsettled] = ['that wait for somebody', 'that were received and are not applied yet'];
  const of = 'Messages of payment providers';
  gauge(registry, 'charter_billing_quarantined', `${of} ${waiting}`, () => counted('quarantined'));
  gauge(registry, 'charter_billing_unsettled', `${of} ${unsettled}`, () => counted('received'));
  return {
    taken: (provider, outcome) => messages.inc({ provider, outcome }),
    quarantined: (provider) => quarantined.inc({ provider }),
  };
}
