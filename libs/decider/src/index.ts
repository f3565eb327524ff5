export * from './decider';
export * from './decide-all';
export * from './fold';
export * from './given';
