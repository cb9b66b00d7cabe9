const reasons = ['unreadable', 'too-large', 'not-allowed', 'submodule'] as const

/**
 * Reason why a path is not in a commit: `unreadable` is a file or folder that denies reading; `too-large` exceeds the limit of
 * the code host; `not-allowed` is a name or content that git or the code host rejects; `submodule` has files or commits that
 * its own remote lacks.
 */
export type LeftOutReason = (typeof reasons)[number]

/** Paths that are not in a commit: `count` in total, of which `paths` lists the first. */
export type LeftOut = { count: number; paths: { path: string; reason: LeftOutReason }[] }

export const nothingLeftOut: LeftOut = { count: 0, paths: [] }

/** Maximum paths listed per commit. */
export const maxLeftOut = 20

export function isLeftOutReason(text: string): text is LeftOutReason {
  return (reasons as readonly string[]).includes(text)
}

/** Returns false for a path that git rejects: `.git` in any folder and letter case, or its short names on other systems. */
export function isCommittablePath(path: string): boolean {
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !/^(?:\.git|git~\d+)[ .]*$/i.test(part))
}
