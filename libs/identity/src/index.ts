export * from './facts';
export * from './keys';
export * from './people';
