/** Counts are shortened unless LONG=1. */
export const times = (shortened: number, full: number): number => (process.env['LONG'] === '1' ? full : shortened);
