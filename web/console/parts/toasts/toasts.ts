import { explain, findRemedy, type Remedy } from '../../access/failure.ts'
import { createStore } from '../../access/store.ts'

type Toast = { message: string; isError: boolean; remedy?: Remedy | undefined }

/** Pending toasts; undefined until the first toast is added. */
const toasts = createStore<readonly Toast[] | undefined>(undefined)

/** Shows a message about a completed action. */
export function showSuccess(message: string): void {
  add({ message, isError: false })
}

/** Shows an error that has no place on the page, with a link to the page that resolves it. */
export function showError(error: unknown): void {
  add({ message: explain(error), isError: true, remedy: findRemedy(error) })
}

/** Copies a text to the clipboard. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  showSuccess('Copied.')
}

/** Returns the pending toasts; undefined until the first toast is added. */
export function useToasts(): readonly Toast[] | undefined {
  return toasts.use()
}

/** Returns the pending toasts and clears them, so that each is shown once. */
export function consumeToasts(): readonly Toast[] {
  const pending = toasts.get() ?? []
  toasts.set([])
  return pending
}

function add(toast: Toast): void {
  toasts.set([...(toasts.get() ?? []), toast])
}
