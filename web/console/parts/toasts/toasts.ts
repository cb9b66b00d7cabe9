import type { Remedy } from '../../access/failure.ts'
import { createStore } from '../../access/store.ts'

export type Toast = { id: number; message: string; isError: boolean; remedy?: Remedy | undefined }

const toasts = createStore<readonly Toast[]>([])
const lastId = createStore(0)

/** Shows a message about a completed action. */
export function showSuccess(message: string): void {
  add(message, false)
}

/** Shows an error that has no place on the page, with a link to the page that resolves it. */
export function showError(message: string, remedy?: Remedy): void {
  add(message, true, remedy)
}

/** Returns the pending toasts. */
export function useToasts(): readonly Toast[] {
  return toasts.use()
}

/** True once a toast was added. */
export function useHadToasts(): boolean {
  return lastId.use() > 0
}

/** Returns the pending toasts and clears them, so that each is shown once. */
export function consumeToasts(): readonly Toast[] {
  const pending = toasts.get()
  toasts.set([])
  return pending
}

function add(message: string, isError: boolean, remedy?: Remedy): void {
  const id = lastId.get() + 1
  lastId.set(id)
  toasts.set([...toasts.get(), { id, message, isError, remedy }])
}
