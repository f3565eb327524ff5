import type { PreviewReason } from '@charter/client';
import { isolatedText } from '../organization/history/wording/typed-text';
import type { ConsoleWords } from '../words';

/** A part of the sum of a limit, such as `5 from Teams`. */
export function partOf(one: PreviewReason, { text, number, plan, addOn }: ConsoleWords): string {
  const amount = typeof one.amount === 'number' ? number(one.amount) : text('why.unlimited');
  if (one.kind === 'plan') return text('why.part.plan', { amount, plan: plan(one.what) });
  if (one.kind === 'add-on') return text('why.part.add-on', { amount, addOn: addOn(one.what) });
  if (one.kind === 'by-hand') return text('why.part.by-hand', { amount });
  if (one.kind === 'none') return text('why.part.none', { amount });
  return text('why.part.always', { amount });
}

/** One term in the calculation of a limit or of the traffic allowance, in words. */
export function termOf(one: PreviewReason, words: ConsoleWords): string {
  const { text, number, plan, addOn } = words;
  const amount = typeof one.amount === 'number' ? number(one.amount) : text('why.unlimited');
  if (one.kind === 'report') return text('why.term.report', { amount, month: words.month(one.what) });
  if (one.kind === 'hard-limit') return text('why.term.hard-limit', { amount, plan: plan(one.what) });
  if (one.kind === 'override') return text('why.term.override', { reason: isolatedText(one.what) });
  if (one.kind === 'add-on')
    return text('why.term.add-on', { amount, addOn: addOn(one.what), quantity: number(one.quantity ?? 1) });
  return partOf(one, words);
}
