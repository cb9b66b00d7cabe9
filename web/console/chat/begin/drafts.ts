let draft = ''

/** What the next new chat begins with. */
export function keepDraft(text: string): void {
  draft = text
}

export function currentDraft(): string {
  return draft
}
