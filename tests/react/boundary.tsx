import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  readonly children: ReactNode;
  /** Gets what is caught. */
  readonly errors: Error[];
}

/** Shows nothing after an error in what it contains. */
export class Boundary extends Component<BoundaryProps> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError = (): object => ({ hasFailed: true });

  override componentDidCatch(error: Error): void {
    this.props.errors.push(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
