import type { Moment } from '@charter/decider';
import { finite } from '@charter/organization';

/** `2026-11-21 10:00:00 UTC` */
export const spokenMoment = (moment: Moment): string => `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;

export const spokenAmount = (amount: number): string => String(finite(amount) ?? 'unlimited');

/** `1 event`, `2 events` */
export const spokenCount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
