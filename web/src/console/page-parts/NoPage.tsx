import { useText } from '../../text';
import { Title } from './Title';

/** The page for an address that the console does not know. */
export function NoPage() {
  const text = useText();
  return (
    <>
      <Title>{text('no-page.title')}</Title>
      <p>{text('no-page')}</p>
      <p>
        <a href="/">{text('no-page.home')}</a>
      </p>
    </>
  );
}
