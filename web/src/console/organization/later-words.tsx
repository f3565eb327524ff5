import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { type ReactNode, use } from 'react';
import { type Catalogues, isLanguage } from '../../languages';
import { useConsoleConfig } from '../page-config-context';

/**
 * The translated messages that the browser loads later: those of the time bar, and those of pages that a person has
 * opened. Each group of pages has its own .po files.
 */
const laterCatalogues = {
  account: {
    en: () => import('../../../locales/account/en.po'),
    fi: () => import('../../../locales/account/fi.po'),
  },
  bar: {
    en: () => import('../../../locales/bar/en.po'),
    fi: () => import('../../../locales/bar/fi.po'),
  },
  organization: {
    en: () => import('../../../locales/organization/en.po'),
    fi: () => import('../../../locales/organization/fi.po'),
  },
  commands: {
    en: () => import('../../../locales/commands/en.po'),
    fi: () => import('../../../locales/commands/fi.po'),
  },
  draft: {
    en: () => import('../../../locales/draft/en.po'),
    fi: () => import('../../../locales/draft/fi.po'),
  },
  checkout: {
    en: () => import('../../../locales/checkout/en.po'),
    fi: () => import('../../../locales/checkout/fi.po'),
  },
  domains: {
    en: () => import('../../../locales/domains/en.po'),
    fi: () => import('../../../locales/domains/fi.po'),
  },
  operators: {
    en: () => import('../../../locales/operators/en.po'),
    fi: () => import('../../../locales/operators/fi.po'),
  },
  proof: {
    en: () => import('../../../locales/proof/en.po'),
    fi: () => import('../../../locales/proof/fi.po'),
  },
  warnings: {
    en: () => import('../../../locales/warnings/en.po'),
    fi: () => import('../../../locales/warnings/fi.po'),
  },
  history: {
    en: () => import('../../../locales/history/en.po'),
    fi: () => import('../../../locales/history/fi.po'),
  },
} satisfies Readonly<Record<string, Catalogues>>;

export type WordGroup = keyof typeof laterCatalogues;
export const wordGroups = Object.keys(laterCatalogues) as WordGroup[];

type Load = { promise: Promise<void>; isDone: boolean };
const loads = new WeakMap<I18n, Map<string, Load>>();
/** Each function removes one failed load. */
const removals: (() => unknown)[] = [];

/**
 * Loads the messages of a group, once for each language. A failed load stays until `forgetFailedWords`. Otherwise,
 * React would repeat the load without end. @throws if the messages cannot be fetched
 */
export function loadWords(i18n: I18n, group: WordGroup): Load {
  const language = isLanguage(i18n.locale) ? i18n.locale : 'en';
  const known = loads.get(i18n) ?? new Map<string, Load>();
  loads.set(i18n, known);
  const key = `${group}.${language}`;
  const load = known.get(key) ?? newLoad(i18n, laterCatalogues[group], language, () => known.delete(key));
  known.set(key, load);
  return load;
}

/** Removes the failed loads, so that the next page loads its messages again. */
export const forgetFailedWords = () => removals.splice(0).forEach((remove) => remove());

function newLoad(i18n: I18n, catalogues: Catalogues, language: keyof Catalogues, remove: () => unknown): Load {
  const load: Load = { promise: Promise.resolve(), isDone: false };
  load.promise = catalogues[language]().then(({ messages }) => {
    i18n.load(language, messages);
    load.isDone = true;
  });
  load.promise.catch(() => removals.push(remove));
  return load;
}

type WordsOf = Readonly<{ group: WordGroup | readonly WordGroup[]; children: ReactNode }>;

/** Shows its children as soon as the browser has loaded the translated messages of this group. */
export function WithWords({ group, children }: WordsOf) {
  useLingui(); // renders again after a change of the language
  const { i18n } = useConsoleConfig(); // Lingui's own context has a new object after each load
  for (const { promise, isDone } of [group].flat().map((one) => loadWords(i18n, one))) if (!isDone) use(promise);
  return children;
}
