import { finite } from '@charter/organization';

export const spokenAmount = (amount: number): string => String(finite(amount) ?? 'unlimited');

/** `1 event`, `2 events` */
export const spokenCount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
