export * from './decider';
export * from './decide-all';
export * from './deep-copy';
export * from './fold';
export * from './given';
