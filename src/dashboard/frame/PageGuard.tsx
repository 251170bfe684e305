import { Component, type ComponentChildren } from 'preact'

type Caught = { readonly error: unknown } | undefined

/** Shows an error of the page in its place: the frame and the other pages go on. */
export class PageGuard extends Component<{ children: ComponentChildren }, { readonly caught: Caught }> {
  override state = { caught: undefined as Caught }

  override componentDidCatch(error: unknown): void {
    console.error(error)
    this.setState({ caught: { error } })
  }

  override render() {
    const { caught } = this.state
    if (caught === undefined) return this.props.children
    return (
      <div class="card empty" role="alert">
        <strong>This page cannot be shown</strong>
        <p>A bug in the dashboard: {String(caught.error)}. The chain and the other pages are not affected.</p>
        <p>
          <button type="button" onClick={() => this.setState({ caught: undefined })}>
            Try again
          </button>
        </p>
      </div>
    )
  }
}
