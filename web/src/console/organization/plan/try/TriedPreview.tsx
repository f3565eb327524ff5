import type { Preview } from '@charter/client';
import { useLocation, useNavigate } from 'react-router-dom';
import { useStandingQuery } from '../../../api';
import { Buy } from '../../../checkout/Buy';
import { buysOnline } from '../../../checkout/buys-online';
import { announcedPreview } from '../../../draft/preview/announced-preview';
import { CommandNote } from '../../../commands/CommandNote';
import { CopyLink } from '../../../draft/CopyLink';
import draftStyles from '../../../draft/Draft.module.css';
import { DRAFT_COMMANDS_MAX, draftAddress, type DraftCommand } from '../../../draft/address/draft-address';
import { useIntentKey } from '../../../commands/idempotency-key';
import { planComparison } from './plan-comparison';
import { TRIED } from './TryLink';
import { useCommand } from '../../../commands/useCommand';
import { PreviewResult } from '../../../draft/preview/PreviewResult';
import { useDatedPreview } from '../../../draft/preview/useDatedPreview';
import { RefusedLine } from '../../../draft/preview/RefusedLine';
import { commandInWords } from '../../../draft/words/command-words';
import { useDraftWords } from '../../../draft/words/useDraftWords';
import { useDrafting } from '../../../drafting/drafting-context';
import { usePageMoment } from '../../../moment/usePageMoment';
import cardStyles from '../../../page-parts/Card.module.css';
import controlStyles from '../../../page-parts/Controls.module.css';
import { Skeleton } from '../../../page-parts/Region';
import { saveFile } from '../../../save-file';
import { TroubleBox } from '../../../page-parts/TroubleBox';
import { useFocusOfLink } from '../../lists/useFocusOfLink';
import { useSettled } from '../../../page-parts/useSettled';
import { isCallFailure } from '../../../problem';

type TriedOf = Readonly<{ id: string; commands: readonly DraftCommand[]; isPast: boolean }>;

/**
 * The preview of the plan, add-ons and service level that a person tries. If a draft is open, a button adds the
 * commands to this draft. Without an open draft, an operator can begin a draft with the tried commands, and an owner
 * can buy the tried items. Owners and operators can copy a link to a draft of the commands, and all other people a link
 * to this page.
 */
export default function TriedPreview({ id, commands, isPast }: TriedOf) {
  const words = useDraftWords(id);
  const heading = useFocusOfLink(TRIED);
  const { text } = words;
  const { moment } = usePageMoment();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { isOpen: isDrafting } = useDrafting();
  const command = useCommand(id);
  const { data: standing } = useStandingQuery(id);
  const wished = useSettled(JSON.stringify(commands));
  const settled = JSON.parse(wished) as readonly DraftCommand[];
  const { key, renew } = useIntentKey(wished);
  const isTooLong = settled.length > DRAFT_COMMANDS_MAX;
  const { data, currentData, error, isFetching, refetch } = useDatedPreview(
    { id, commands: settled, key, moment },
    { skip: isTooLong },
  );
  const preview = error === undefined || isFetching ? data : currentData;
  const mayBuy = !isPast && !isDrafting && buysOnline(standing);
  const mayAssign = standing?.may.includes('AssignPlan') === true;
  const mayApply = !isPast && !isDrafting && mayAssign;
  const isOwner = standing?.roles.includes('owner') === true;
  // A person who is neither owner nor operator copies the address of the plan page. An owner can buy the tried items
  // there, but cannot buy a draft.
  const tried = `${pathname}?${new URLSearchParams({ try: new URLSearchParams(search).get('try') ?? '' }).toString()}`;
  const address = async () => window.location.origin + (isOwner || mayAssign ? await draftAddress(id, settled) : tried);
  const download = (shown: Preview) => {
    const file = `${id}-plan-comparison-${shown.revision}.csv`;
    // The byte order mark at the beginning makes spreadsheet programs read the file as UTF-8.
    saveFile(file, ['\ufeff', planComparison(settled, shown, words)], 'text/csv');
  };
  const leaveTry = () => {
    const next = new URLSearchParams(search);
    next.delete('try');
    void navigate({ pathname, search: next.toString() }, { replace: true });
  };
  return (
    <section className={cardStyles['card']} aria-labelledby="tried" aria-busy={isFetching}>
      <h2 id="tried" ref={heading} tabIndex={-1}>
        {text('try.effect')}
      </h2>
      <p role="status" className="unseen">
        {currentData && !isFetching && announcedPreview(currentData, words)}
      </p>
      {isCallFailure(error) && !isFetching && <TroubleBox name={text('try.effect')} trouble={error} retry={refetch} />}
      <ol>
        {settled.map((command, index) => (
          <li key={JSON.stringify(command)}>
            <span>{commandInWords(command, words)}</span>{' '}
            <RefusedLine {...{ id, index, words }} preview={isFetching ? undefined : currentData} />
          </li>
        ))}
      </ol>
      {isTooLong ? (
        <p role="alert">{text('draft.too-many')}</p>
      ) : (
        <>
          {preview ? (
            <PreviewResult {...{ preview, words }} />
          ) : (
            isFetching && <Skeleton name={text('try.effect')} rows={6} />
          )}
          {standing && !isPast && !mayApply && !mayBuy && !isDrafting && (
            <p>{text(isOwner ? 'try.by-operator' : 'try.by-owner')}</p>
          )}
          {mayBuy && (
            <Buy
              key={wished}
              {...{ id, words }}
              commands={settled}
              preview={isFetching ? undefined : currentData}
              idempotencyKey={key}
              onAnswered={renew}
            />
          )}
          <CommandNote command={command} />
          <p className={draftStyles['commit']}>
            {isDrafting && (
              <button
                type="button"
                className={controlStyles['primary']}
                onClick={() => void command.toDraft(settled, leaveTry)}
              >
                {text('drafting.add')}
              </button>
            )}
            {mayApply && (
              <button
                type="button"
                className={controlStyles['primary']}
                onClick={() => void draftAddress(id, settled).then((draft) => navigate(draft))}
              >
                {text('try.apply')}
              </button>
            )}
            <CopyLink label={text('draft.copy')} link={address} />
            {preview && (
              <button
                type="button"
                className={controlStyles['button']}
                aria-disabled={isFetching}
                onClick={() => isFetching || download(preview)}
              >
                {text('comparison.download')}
              </button>
            )}
          </p>
        </>
      )}
    </section>
  );
}
