/** Result of a check of `npm run doctor`. `note`: works with limitations. `FAIL`: Backline does not start. */
export type Finding = { state: 'ok' | 'note' | 'FAIL'; text: string }

export function ok(text: string): Finding {
  return { state: 'ok', text }
}

export function note(text: string): Finding {
  return { state: 'note', text }
}

export function fail(text: string): Finding {
  return { state: 'FAIL', text }
}
