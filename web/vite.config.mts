import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const { moduleOf } = createRequire(import.meta.url)('./catalogues.cjs') as { moduleOf: (po: string) => string };

/** Translators' files, compiled as they are imported: there is no compiled form lying about that could be old. */
const catalogues: Plugin = {
  name: 'catalogues',
  transform: (code, id) => (id.endsWith('.po') ? { code: moduleOf(code), map: null, moduleType: 'js' } : undefined),
};

/** Where to and which half is told by `build.mjs`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), catalogues],
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
  build: {
    target: 'es2023',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The packages in here do nothing when a property is read or a module is merely loaded.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }] },
      },
    },
  },
  ssr: { noExternal: ['@lingui/react', '@lingui/core'] },
});
