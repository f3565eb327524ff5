import { Component, type ReactNode } from 'react';
import { useText } from '../../text';
import controlStyles from '../page-parts/Controls.module.css';

type BoundaryOf = Readonly<{
  /** The path in the address, or the organization's id. After a failure, another `place` shows the children again. */
  place: string;
  children: ReactNode;
}>;

/**
 * Shows a message in place of a page that fails, for example because its script did not load after the service was
 * upgraded. Without the boundary, React would remove the whole console.
 */
export class FailureBoundary extends Component<BoundaryOf, Readonly<{ hasFailed: boolean }>> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    reportError(error); // causes the event from which `reportErrors` learns of the error
  }

  override componentDidUpdate({ place }: BoundaryOf) {
    if (place !== this.props.place && this.state.hasFailed) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const text = useText();
  return (
    <div role="alert">
      <p>{text('trouble.page')}</p>
      <button type="button" className={controlStyles['button']} onClick={() => window.location.reload()}>
        {text('live.reload')}
      </button>
    </div>
  );
}
