export * from './charter';
export * from './config';
