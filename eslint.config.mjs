import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'dist.*/**',
      'data/**',
      'node_modules/**',
      'test/bench/results/**',
      'libs/client/src/types.ts',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx,mts}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off', // both `type` and `interface` are allowed
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-dynamic-delete': 'off', // `evolve` deletes entries from drafts, which are records by id
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-non-null-assertion': 'off', // `noUncheckedIndexedAccess` makes some assertions necessary
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/unbound-method': 'off', // the functions of deciders and views do not use `this`
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // The types of React would change the types of the browser in the specs, so the client has its own project.
    files: ['libs/client/**/*.ts'],
    languageOptions: {
      parserOptions: { project: './libs/client/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ['web/**/*.{ts,tsx,mts}'],
    plugins: { 'react-hooks': hooks },
    languageOptions: { parserOptions: { project: './web/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.spec.tsx', '**/*.contract.ts', '**/*.testing.tsx', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off', // specs read HTTP answers, which have no type
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'module',
          'require',
          '__dirname',
          'URL',
          'Buffer',
          'setTimeout',
          'setInterval',
          'clearInterval',
          'clearTimeout',
          'fetch',
          'performance',
          'structuredClone',
          'setImmediate',
          'AbortController',
          'AbortSignal',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['web/early.js', 'web/first-requests.js', 'web/theme.js'],
    languageOptions: {
      sourceType: 'script',
      globals: { location: 'readonly', window: 'readonly', document: 'readonly', localStorage: 'readonly' },
    },
  },
  prettier,
);
