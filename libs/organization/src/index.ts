export * from './catalogue';
export * from './terms';
