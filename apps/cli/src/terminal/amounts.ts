import { finiteOrNull } from '@charter/organization';

export const amountText = (amount: number): string => String(finiteOrNull(amount) ?? 'unlimited');

/** For example `1 event` or `2 events`. */
export const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
