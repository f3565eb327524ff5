import type { OrganizationDocument, Receipt } from '@charter/client';
import { type ReactNode, useId, useRef, useState } from 'react';
import styles from '../../commands/Command.module.css';
import { DoneNote, useResult } from '../../commands/DoneNote';
import { CommandDialog } from '../../commands/CommandDialog';
import { refusedField } from '../../commands/refusal-words';
import { TextForm } from '../../commands/TextForm';
import type { DirectCommand } from '../../commands/own-routes';
import { useCommand } from '../../commands/useCommand';
import { useRights } from '../../commands/useRights';
import { useSendWords } from '../../commands/useSendWords';
import { useDrafting } from '../../drafting/drafting-context';
import { useConsoleConfig } from '../../page-config-context';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';
import { ChoiceForm } from './ChoiceForm';
import { parallelUseIn, productIn } from './product-fields';

type ChangesOf = Readonly<{ id: string; document: OrganizationDocument }>;
/** The control of each setting; undefined if the person may not change the setting. */
type SettingControls = Readonly<Partial<Record<'name' | 'product' | 'parallelUse' | 'closed', ReactNode>>>;

/** The controls that change the general settings of an organization, including its closing and reopening. */
export function useGeneralChanges({ id, document }: ChangesOf): SettingControls {
  const { text } = useWords();
  const { product, productKey } = useConsoleConfig().facts;
  const { may } = useRights(id);
  const parallelUse = parallelUseIn(document, productKey);
  const isOn = productIn(document, productKey);
  const done = text('settings.done');
  return {
    ...(may('RenameOrganization') && {
      name: (
        <TextForm
          {...{ id, done }}
          label={text('settings.name.new')}
          value={document.name}
          send={text('settings.rename')}
          commandOf={(name) => ({ type: 'RenameOrganization', data: { name } })}
        />
      ),
    }),
    ...(may('EnableProduct') &&
      may('DisableProduct') && {
        product: (
          <ChoiceForm
            {...{ id, done }}
            label={text('settings.product', { product })}
            value={isOn ? 'on' : 'off'}
            options={[
              ['on', text('features.on')],
              ['off', text('features.off')],
            ]}
            commandOf={(value) => ({ type: value === 'on' ? 'EnableProduct' : 'DisableProduct', data: {} })}
            questionOf={(value) =>
              value === 'off'
                ? {
                    title: text('settings.product-off.title', { product, organization: typed(document.name) }),
                    effect: text('settings.product-off.effect'),
                    send: text('settings.product-off'),
                  }
                : undefined
            }
          />
        ),
      }),
    ...(may('ChangeParallelUse') && {
      parallelUse: (
        <ChoiceForm
          {...{ id, done }}
          label={text('settings.parallel-use')}
          value={parallelUse === null ? 'unset' : parallelUse ? 'yes' : 'no'}
          options={[
            ['yes', text('settings.parallel-use.yes')],
            ['no', text('settings.parallel-use.no')],
            ['unset', text('settings.parallel-use.unset')],
          ]}
          commandOf={(value) => ({
            type: 'ChangeParallelUse',
            data: { parallelUse: value === 'unset' ? null : value === 'yes' },
          })}
        />
      ),
    }),
    // After a change, the answers about the organization and about the permissions arrive one after the other. The
    // control stays meanwhile, because it says what the change did.
    ...((may('CloseOrganization') || may('ReopenOrganization')) && {
      closed: <Closing {...{ id }} isClosed={document.closed} name={document.name} />,
    }),
  };
}

type ClosingOf = Readonly<{ id: string; isClosed: boolean; name: string }>;

/** The button that opens the dialog for closing or reopening the organization. The dialog asks for a reason. */
function Closing({ id, isClosed, name }: ClosingOf) {
  const { text } = useWords();
  const [isOpen, setOpen] = useState(false);
  const { result, say } = useResult();
  return (
    <>
      <button
        type="button"
        className={controlStyles[isClosed ? 'button' : 'danger']}
        aria-haspopup="dialog"
        onClick={() => {
          say('');
          setOpen(true);
        }}
      >
        {text(isClosed ? 'settings.reopen.menu' : 'settings.close.menu')}
      </button>
      <DoneNote {...{ id, result }} />
      {isOpen && (
        <ClosingDialog
          {...{ id, isClosed, name }}
          onClose={() => setOpen(false)}
          onDone={(receipt) => say(text(isClosed ? 'settings.reopen.done' : 'settings.close.done'), receipt)}
        />
      )}
    </>
  );
}

type ClosingDialogOf = ClosingOf & Readonly<{ onClose: () => void; onDone: (receipt: Receipt) => void }>;

function ClosingDialog({ id, isClosed, name, onClose, onDone }: ClosingDialogOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const reason = useRef<HTMLInputElement>(null);
  const [reasonId, noteId] = [useId(), useId()];
  const sendWords = useSendWords();
  const { isOpen: isDrafting } = useDrafting();
  const send = () => {
    const data = { reason: reason.current?.value.trim() ?? '' };
    const wanted: DirectCommand = { type: isClosed ? 'ReopenOrganization' : 'CloseOrganization', data };
    command.runOrDraft(wanted, onDone);
  };
  const { outcome } = command;
  return (
    <CommandDialog
      title={text(isClosed ? 'settings.reopen.title' : 'settings.close.title', { organization: typed(name) })}
      send={sendWords(text(isClosed ? 'settings.reopen' : 'settings.close'))}
      {...{ command, onClose, noteId }}
      onSend={send}
      takesAway={!isClosed && !isDrafting}
    >
      <p>{text(isClosed ? 'settings.reopen.effect' : 'settings.close.effect')}</p>
      <label htmlFor={reasonId}>{text('settings.closed.reason')}</label>
      <input
        ref={reason}
        id={reasonId}
        type="text"
        autoComplete="off"
        aria-invalid={refusedField(outcome) === 'reason'}
        aria-describedby={noteId}
      />
      <p className={styles['hint']}>{text('settings.closed.reason.hint')}</p>
    </CommandDialog>
  );
}
