import { Component, type ReactNode } from 'react'

/** Draws nothing once a component below it has thrown, and tells of it: the screen may fail, the run may not. */
export class ErrorBoundary extends Component<{ readonly onError: () => void; readonly children: ReactNode }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch() {
    this.props.onError()
  }

  override render() {
    return this.state.failed ? null : this.props.children
  }
}
