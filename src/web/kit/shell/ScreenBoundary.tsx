import { Component, type ReactNode } from 'react';
import { Failure } from '../feedback/Failure.tsx';

type Props = { children: ReactNode };

/** Keeps a fault of one screen from taking the menu with it. React has no boundary but a class. */
export class ScreenBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error) {
    console.error(error);
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    // A screen's code that is gone comes back with the page: a new version was installed meanwhile.
    const isStale = /dynamically imported module|Importing a module script failed|preload/i.test(error.message);
    const retry = () => (isStale ? window.location.reload() : this.setState({ error: null }));
    return <Failure error={error} title={isStale ? 'common.load_failed' : undefined} retry={retry} />;
  }
}
