/** Chooses the shortened count, or the full count if LONG=1 is set. */
export const times = (shortened: number, full: number): number => (process.env['LONG'] === '1' ? full : shortened);
