export * from './errors';
export * from './port';
