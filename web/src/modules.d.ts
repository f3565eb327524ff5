declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}

declare module '*.css';

declare module '*.po' {
  import type { Messages } from '@lingui/core';
  export const messages: Messages;
}
