import { Component, type ReactNode } from 'react';
import { useText } from '../../text';
import { forgetFailedWords } from '../organization/later-words';
import controlStyles from '../page-parts/Controls.module.css';

type BoundaryOf = Readonly<{
  /** The path in the address, or the organization's id. After a failure, another `place` shows the children again. */
  place?: string;
  /** The name of the part, for the message after a failure. Without a name, the message is about the whole page. */
  name?: string;
  /** The boundary shows this after a failure, in place of its message. */
  instead?: ReactNode;
  children: ReactNode;
}>;

/**
 * Shows a message in place of a page or a part that fails, for example because its script did not load after the
 * service was upgraded. Without the boundary, React would remove the whole console.
 */
export class FailureBoundary extends Component<BoundaryOf, Readonly<{ hasFailed: boolean }>> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    forgetFailedWords();
    reportError(error); // causes the event from which `reportErrors` learns of the error
  }

  override componentDidUpdate({ place }: BoundaryOf) {
    if (place !== this.props.place && this.state.hasFailed) this.setState({ hasFailed: false });
  }

  override render() {
    const { children, name, instead = <Failed name={name} /> } = this.props;
    return this.state.hasFailed ? instead : children;
  }
}

/** Offers to reload the page. */
function Failed({ name }: Readonly<{ name: string | undefined }>) {
  const text = useText();
  return (
    <div role="alert">
      <p>{text(name ? 'trouble.region' : 'trouble.page', { name })}</p>
      <button type="button" className={controlStyles['button']} onClick={() => window.location.reload()}>
        {text('live.reload')}
      </button>
    </div>
  );
}
