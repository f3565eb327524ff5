import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const { moduleOf } = createRequire(import.meta.url)('./catalogues.cjs') as { moduleOf: (po: string) => string };

/** Compiles translators' files on import, so that no compiled copy can be out of date. */
const catalogues: Plugin = {
  name: 'catalogues',
  transform: (code, id) => (id.endsWith('.po') ? { code: moduleOf(code), map: null, moduleType: 'js' } : undefined),
};

/** `build.mjs` sets the output folder and the part to build. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), catalogues],
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
  // the worker loads a part of its code only in some browsers
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Reading a property of these packages, or loading a module, has no side effect.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: {
          // The sign-in pages load these packages with React. A chunk of their own would exceed the size budget.
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@lingui[\\/]react)[\\/]/,
            },
          ],
        },
      },
    },
  },
  ssr: { noExternal: ['@lingui/react', '@lingui/core'] },
});
