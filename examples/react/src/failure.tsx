/** Shows an error where the component that failed would be. */
import { Component, type JSX, type ReactNode } from 'react';

export class Failure extends Component<{ readonly children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Alert error={error} />;
  }
}

const Alert = ({ error }: { readonly error: unknown }): JSX.Element => (
  <p role="alert">The scene failed: {String(error)}</p>
);
