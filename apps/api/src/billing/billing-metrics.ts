import type { BillingInbox } from '@charter/database';
import { Counter, type Registry } from 'prom-client';
import { gauge } from '../process/observability/metrics';

/**
 * Counters for billing. The labels are the provider and the outcome. Each label has a fixed set of values
 * (`acceptance.md` T7).
 */
export type BillingMetrics = Readonly<{
  /** Counts a received message by its outcome. */
  taken: (provider: string, outcome: string) => void;
  /** Counts a message that was quarantined. */
  quarantined: (provider: string) => void;
}>;

export function createBillingMetrics(registry: Registry, inbox: Pick<BillingInbox, 'countOpen'>): BillingMetrics {
  const registers = [registry];
  const messages = new Counter({
    name: 'charter_billing_messages_total',
    help: 'Messages of payment providers, by outcome',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const quarantined = new Counter({
    name: 'charter_billing_quarantined_total',
    help: 'Messages of payment providers that were quarantined',
    labelNames: ['provider'],
    registers,
  });
  // Starts each series at 0, because otherwise Prometheus sees no increase at the first quarantined message.
  for (const provider of ['stripe', 'cloudevents']) quarantined.inc({ provider }, 0);
  const counted = async (state: 'quarantined' | 'received') => (await inbox.countOpen())[state];
  const [waiting, unsettled] = ['in quarantine', 'that were received and are not applied yet'];
  const of = 'Messages of payment providers';
  gauge(registry, 'charter_billing_quarantined', `${of} ${waiting}`, () => counted('quarantined'));
  gauge(registry, 'charter_billing_unsettled', `${of} ${unsettled}`, () => counted('received'));
  return {
    taken: (provider, outcome) => messages.inc({ provider, outcome }),
    quarantined: (provider) => quarantined.inc({ provider }),
  };
}
