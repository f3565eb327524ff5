export * from './changes';
export * from './printed-entitlements';
export * from './problem';
export * from './public-document';
export * from './question';
export * from './view';
