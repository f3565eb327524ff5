export * from './charter';
export * from './config';
export * from './secret';
