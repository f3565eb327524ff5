export * from './append-rule';
export * from './content';
export * from './errors';
export * from './port';
export * from './read-rule';
