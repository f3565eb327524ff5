export * from './facts';
export * from './keys';
export * from './people';
export * from './sign-in-token';
export * from './vouched';
