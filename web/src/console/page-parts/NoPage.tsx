import { useText } from '../../text';
import { Title } from './Title';

/** The page of an address that names no page of the console. */
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
