import { createStore } from '../../access/store.ts'

/** Question to the user. `text`: adds an input field with this initial text. `isLong`: makes the field multiline. */
type DialogRequest = { question: string; confirmLabel: string; text?: string; isLong?: boolean }
type OpenDialog = DialogRequest & { answer: (text: string | undefined) => void }

const open = createStore<OpenDialog | undefined>(undefined)

/** Resolves with the text of the input field, an empty string if there is none, or undefined if the user cancels. */
export function ask(request: DialogRequest): Promise<string | undefined> {
  open.get()?.answer(undefined)
  return new Promise((resolve) => {
    open.set({
      ...request,
      answer: (text) => {
        open.set(undefined)
        resolve(text)
      },
    })
  })
}

export function useOpenDialog(): OpenDialog | undefined {
  return open.use()
}
