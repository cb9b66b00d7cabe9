let draft = ''

/** Keeps a text that the next new chat shows in its message field. */
export function keepDraft(text: string): void {
  draft = text
}

export function currentDraft(): string {
  return draft
}
