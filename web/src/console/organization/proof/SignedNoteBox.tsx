import { useState } from 'react';
import styles from '../../../proof/Proof.module.css';
import { DisappearingButton } from '../../page-parts/DisappearingButton';
import { CopyButton } from '../../page-parts/CopyButton';
import { TroubleBox } from '../../page-parts/TroubleBox';
import type { CallFailure } from '../../problem';
import { fetchLogged } from '../../requests/fetch-logged';
import { redirectToLogin } from '../../sign-out-redirect';
import { useWords } from '../../words';
import { failureIn, requestFailed } from './verify-on-server';

/**
 * A note with the hash of the last event, which the service signs on request. An auditor keeps the note as evidence.
 */
export function SignedNoteBox({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const [note, setNote] = useState<string>();
  const [failure, setFailure] = useState<CallFailure>();
  const [isBusy, setBusy] = useState(false);
  const sign = async () => {
    setBusy(true);
    try {
      const answer = await fetchLogged(`/api/v1/organizations/${id}/checkpoint`);
      if (!answer.ok) throw await requestFailed(answer);
      setNote(await answer.text());
      setFailure(undefined);
    } catch (error) {
      const found = failureIn(error);
      if (found.status === 401) redirectToLogin(window);
      setFailure(found);
    }
    setBusy(false);
  };
  return (
    <>
      {note !== undefined && (
        <div className={styles['note']}>
          <CopyButton what={text('note.title')} value={note} />
          <pre tabIndex={0} aria-label={text('note.title')}>
            {note}
          </pre>
        </div>
      )}
      {failure ? (
        <TroubleBox name={text('note.title')} trouble={failure} retry={sign} />
      ) : (
        <p className={styles['buttons']}>
          <DisappearingButton isBusy={isBusy} onClick={() => void sign()}>
            {text('note.get')}
          </DisappearingButton>
        </p>
      )}
    </>
  );
}
