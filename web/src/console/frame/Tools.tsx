import { ChevronDown, Keyboard, ListTree, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useMatch, useNavigate } from 'react-router-dom';
import { useMeQuery, useOrganizationQuery, useStandingQuery } from '../api';
import type { FoundEntry } from '../find/found';
import { lookBack } from '../moment/look-back';
import { PRESENT } from '../moment/page-moment';
import { useEvidenceLink } from '../moment/useEvidenceLink';
import { usePageMoment } from '../moment/usePageMoment';
import { organizationPages } from '../organization/organization-pages';
import { useCopy } from '../page-parts/useCopy';
import { useText } from '../../text';
import { FailureBoundary } from './FailureBoundary';
import styles from './Tools.module.css';
import { useToolKeys } from './useToolKeys';

const loadFind = () => import('../find/Find');
const Find = lazy(loadFind);
const Requests = lazy(() => import('../requests/Requests'));
const Shortcuts = lazy(() => import('./Shortcuts'));

/** The message id of the name of each dialog. */
const names = {
  find: 'find.title',
  organizations: 'top.choose',
  requests: 'requests.title',
  shortcuts: 'keys.title',
} as const;
type Layer = keyof typeof names | undefined;

/**
 * The tools of every page: the organization menu, the search dialog, the list of sent requests, and the list of
 * keyboard shortcuts.
 */
export function Tools() {
  const text = useText();
  const navigate = useNavigate();
  const organization = useMatch('/org/:id/*')?.params.id;
  const { kept } = usePageMoment();
  const [layer, setLayer] = useState<Layer>();
  const [opener, setOpener] = useState<Element | null>(null);
  const open = (next: Layer) => {
    setOpener(document.activeElement);
    setLayer(layer === next ? undefined : next);
  };
  const close = () => {
    setLayer(undefined);
    if (opener instanceof HTMLElement) opener.focus();
  };
  const { copied, failed, copy: copyLink } = useCopy(useEvidenceLink(organization));
  const { data: standing } = useStandingQuery(organization ?? '', { skip: organization === undefined });
  const go = (key: string) => {
    const page = organizationPages.find((one) => one.key === key);
    if (page && organization !== undefined)
      void navigate({ pathname: `/org/${organization}/${page.path}`, search: kept });
  };
  const [find, requests, shortcuts] = (['find', 'requests', 'shortcuts'] as const).map((one) => () => open(one));
  useToolKeys({ find: find!, requests: requests!, shortcuts: shortcuts!, copyLink, go });

  // Loads the dialog early, because a person continues to type while the dialog opens.
  useEffect(() => void loadFind().catch(() => undefined), []);

  const action = (id: string, title: string, run: () => void): FoundEntry => ({
    ...{ id, group: 'find.actions', title: text(title), open: run },
  });
  const actions = [
    action('requests', 'keys.requests', () => setLayer('requests')),
    action('shortcuts', 'keys.list', () => setLayer('shortcuts')),
    action('copy-link', 'keys.copy-link', copyLink),
    ...(standing?.reads.includes('history')
      ? [action('look-back', 'keys.open-bar', lookBack.ask), action('verify', 'find.verify', () => go('r'))]
      : []),
  ];
  return (
    <>
      {organization !== undefined && <OrganizationName id={organization} onChoose={() => open('organizations')} />}
      <span className={styles['tools']}>
        <Tool name={text('find.title')} keys="Control+K" onPress={find!}>
          <Search size={18} />
        </Tool>
        <Tool name={text('requests.title')} keys="Control+." onPress={requests!}>
          <ListTree size={18} />
        </Tool>
        <Tool name={text('keys.title')} keys="?" onPress={shortcuts!}>
          <Keyboard size={18} />
        </Tool>
        <span role="status" className={styles['copied']}>
          {copied ? text('copied') : failed ? text('copy.failed') : ''}
        </span>
      </span>
      {layer && (
        <FailureBoundary key={layer} name={text(names[layer])}>
          <Suspense fallback={null}>
            {(layer === 'find' || layer === 'organizations') && (
              <Find onlyOrganizations={layer === 'organizations'} {...{ organization, actions }} onClose={close} />
            )}
            {layer === 'requests' && <Requests onClose={close} />}
            {layer === 'shortcuts' && <Shortcuts onClose={close} inOrganization={organization !== undefined} />}
          </Suspense>
        </FailureBoundary>
      )}
    </>
  );
}

type NameOf = Readonly<{ id: string; onChoose: () => void }>;

/**
 * The name of the organization. For a person with several organizations, the name is a button that opens their list.
 */
function OrganizationName({ id, onChoose }: NameOf) {
  const text = useText();
  const { data } = useOrganizationQuery({ id, moment: PRESENT });
  const { data: me } = useMeQuery(undefined);
  const isChoice = me && (me.role !== null || me.organizations.length > 1);
  if (!isChoice) return <p className={styles['organization']}>{data?.name}</p>;
  return (
    <p className={styles['organization']}>
      <button type="button" aria-haspopup="dialog" onClick={onChoose}>
        <bdi>{data?.name ?? text('top.choose')}</bdi>
        <ChevronDown size={18} />
      </button>
    </p>
  );
}

type ToolOf = Readonly<{ name: string; keys: string; onPress: () => void; children: React.ReactNode }>;

function Tool({ name, keys, onPress, children }: ToolOf) {
  return (
    <button type="button" aria-label={name} title={name} aria-keyshortcuts={keys} onClick={onPress}>
      {children}
    </button>
  );
}
