import type { Standing } from '@charter/client';
import { type ComponentType, lazy } from 'react';
import { Overview } from '../overview/Overview';
import type { WordGroup } from './later-words';

/** A page of an organization, with its entry in the navigation and its route. */
export type OrganizationPageEntry = Readonly<{
  /** The path below `/org/:id/`. If the page has subpages, `more` is the rest of the path of a subpage. */
  path: string;
  more?: string;
  /** The message id of the page's name. */
  name: string;
  /** The second key of the shortcut that opens the page; the first key is `g`. */
  key?: string;
  /**
   * The paths in the organization's document that the page shows, in the form of the query parameter `about`. Without
   * paths, each event can change the page.
   */
  follows?: readonly string[];
  /** If two moments are compared, the page shows the values of the other side beside its own values. */
  compares?: true;
  page: ComponentType;
  /**
   * The groups of translated messages (`later-words.tsx`) that the browser loads for this page, in addition to the
   * messages of the console.
   */
  words?: WordGroup | readonly WordGroup[];
  /**
   * The page is only for people who may read this, in the form of `reads` in `GET …/standing`. The navigation hides the
   * page from other people.
   */
  reads?: Standing['reads'][number];
  /** The keys that only this page has, each with the message id of what the key does. */
  keys?: readonly (readonly [keys: string, does: string])[];
  /** The navigation does not contain this page, because other pages link to it. */
  isLinked?: true;
}>;

const betweenRows = [
  ['↓ j', 'keys.row-next'],
  ['↑ k', 'keys.row-previous'],
  ['Home End', 'keys.row-ends'],
  ['PgUp PgDn', 'keys.row-screen'],
] as const;
const ofFilter = ['/', 'keys.filter'] as const;
const ofRows = [...betweenRows, ['Enter', 'keys.row-open'], ofFilter] as const;
const ofList = [...ofRows, ['o', 'keys.order.next']] as const;
const ofGrid = [...ofRows, ['Space', 'keys.row-choose'], ['o', 'keys.order']] as const;
const ofComparison = [
  ['x', 'keys.swap'],
  ['[', 'keys.later-end-back'],
  [']', 'keys.later-end-on'],
] as const;

const ofUndo = [['u', 'keys.undo']] as const;
const ofDraft = [['Ctrl Enter', 'keys.commit'], ...ofUndo] as const;

export const organizationPages: readonly OrganizationPageEntry[] = [
  { path: 'overview', name: 'nav.overview', key: 'o', compares: true, page: Overview },
  {
    path: 'members',
    more: ':user',
    name: 'nav.members',
    key: 'm',
    follows: ['/members'],
    compares: true,
    page: lazy(() => import('./members/Members')),
    words: ['organization', 'commands'],
    keys: [...ofList, ['Space', 'keys.member-choose'], ['i', 'keys.invite'], ...ofUndo],
  },
  {
    path: 'sites',
    more: ':site',
    name: 'nav.sites',
    key: 's',
    follows: ['/sites'],
    compares: true,
    page: lazy(() => import('./sites/Sites')),
    words: ['organization', 'commands'],
    keys: [...ofList, ['i', 'keys.add-site'], ...ofUndo],
  },
  {
    path: 'domains',
    name: 'nav.domains',
    key: 'd',
    follows: ['/qualityAssurance/domains', '/webAnalytics/domains'],
    compares: true,
    page: lazy(() => import('./domains/Domains')),
    words: ['organization', 'commands'],
    keys: [['i', 'keys.add-domain'], ...ofUndo],
  },
  {
    path: 'plan',
    name: 'nav.plan',
    key: 'p',
    follows: ['/plans', '/addOns', '/serviceLevel', '/limits'],
    compares: true,
    page: lazy(() => import('./plan/PlanPage')),
    words: 'organization',
  },
  {
    path: 'draft',
    name: 'nav.draft',
    page: lazy(() => import('../draft/DraftPage')),
    words: ['draft', 'commands', 'history', 'organization'],
    keys: ofDraft,
    isLinked: true,
  },
  {
    path: 'checkout',
    name: 'nav.checkout',
    page: lazy(() => import('../checkout/CheckoutPage')),
    words: ['checkout', 'commands'],
    isLinked: true,
  },
  {
    path: 'history',
    more: ':revision',
    name: 'nav.history',
    key: 'h',
    page: lazy(() => import('./history/History')),
    words: ['history', 'organization'],
    reads: 'history',
    keys: [...ofGrid, ...ofUndo],
  },
  {
    path: 'compare',
    name: 'nav.compare',
    key: 'c',
    page: lazy(() => import('./history/compare/ComparePage')),
    words: ['history', 'organization'],
    reads: 'history',
    keys: ofComparison,
    isLinked: true,
  },
  {
    path: 'changes',
    name: 'nav.changes',
    page: lazy(() => import('./history/values/ValuePage')),
    words: ['history', 'organization'],
    reads: 'history',
    isLinked: true,
  },
  {
    path: 'proof',
    name: 'nav.proof',
    key: 'r',
    page: lazy(() => import('./proof/ProofPage')),
    words: 'proof',
    reads: 'history',
  },
  {
    path: 'readers',
    name: 'nav.readers',
    page: lazy(() => import('./readers/ReadersPage')),
    words: 'proof',
    reads: 'readers',
    keys: [...betweenRows, ofFilter],
    isLinked: true,
  },
  {
    path: 'settings',
    name: 'nav.settings',
    key: 'x',
    follows: ['/name', '/product', '/parallelUse', '/singleSignOn', '/closed', '/members'],
    compares: true,
    page: lazy(() => import('./settings/SettingsPage')),
    words: ['organization', 'commands'],
    keys: ofUndo,
  },
];
