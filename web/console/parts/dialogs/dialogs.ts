import { createStore } from '../../access/store.ts'

/** Question to the user. `text`: adds an input field with this initial text. `isLong`: makes the field multiline. */
type DialogRequest = { question: string; confirmLabel: string; text?: string; isLong?: boolean }
type OpenDialog = DialogRequest & { answer: (text: string | undefined) => void }

const openDialog = createStore<OpenDialog | undefined>(undefined)

/** Opens a dialog. Resolves with the text of its input field, an empty string without a field, or undefined on cancel. */
export function promptUser(request: DialogRequest): Promise<string | undefined> {
  openDialog.get()?.answer(undefined)
  return new Promise((resolve) => {
    openDialog.set({
      ...request,
      answer: (text) => {
        openDialog.set(undefined)
        resolve(text)
      },
    })
  })
}

export function useOpenDialog(): OpenDialog | undefined {
  return openDialog.use()
}
