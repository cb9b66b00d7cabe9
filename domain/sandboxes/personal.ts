import { z } from 'zod'
import { codePoints } from '../fields/fields.ts'

/** Name of the job that sets up an account's sandbox. */
export const setupJob = 'setup-sandbox'

/** Steps of a setup in order, as named in the log of its run. */
export const setupSteps = [
  'start-sandbox',
  'install-tools',
  'source-repository',
  'clone',
  'readme',
  'organizations',
  'commit',
  'snapshot',
  'stop-sandbox',
] as const
export type SetupStep = (typeof setupSteps)[number]

export type SetupLog = { step: SetupStep; status: 'done' | 'skipped' | 'failed'; at: string; message?: string }
export type SetupMetadata = { currentStep: string; logs: SetupLog[] }

/** Message of a setup's commit. */
export const setupMessage = 'Set up workspace'

/** Returns the name of a personal repository. An account's workspace repository has only the account id as its name. */
export function personalRepositoryName(accountId: string): string {
  return `personal-${accountId}`
}

/** Returns the name of a setup's sandbox. Each setup has its own sandbox. */
export function personalSandboxName(runId: string): string {
  return runId.replace('run_', 'personal-').toLowerCase()
}

const controlCharacter = /[\p{Cc}\\]/u

const rest = `${allExcept('')}*`
const gitLike = `[gG](${allExcept('iI')}${rest}|[iI](${allExcept('tT')}${rest}|[tT]${allExcept('')}${rest})?)?`
const segment = `(${allExcept('.')}${rest}|\\.(${allExcept('.gG')}${rest}|\\.${allExcept('')}${rest}|${gitLike}))`
const pathPattern = `${segment}(/${segment})*`

const maxPathLength = 4096

const unsafePathIssue = { error: 'must be a relative path without "..", ".git", empty segments or control characters' }

export const filePath = z
  .string()
  .min(1)
  .refine(isSafePath, unsafePathIssue)
  .meta({ maxLength: maxPathLength, pattern: `^${pathPattern}$` })

/** A folder; empty for the root. */
export const folderPath = z
  .string()
  .refine((path) => path === '' || isSafePath(path), unsafePathIssue)
  .meta({ maxLength: maxPathLength, pattern: `^(${pathPattern})?$` })

export const fileName = z
  .string()
  .refine((name) => isSegment(name) && !name.includes('/') && codePoints(name) <= 255, {
    error: 'must be one path segment of 1 to 255 characters',
  })
  .meta({ minLength: 1, maxLength: 255, pattern: `^${segment}$` })

/** An entry of a repository's `.gitmodules`. */
export type Submodule = { path: string; url: string }

/** Maximum entries, because each submodule is looked up at the code host. */
const maxSubmodules = 100

/** Parses the entries with a safe path, and ignores other entries. */
export function parseSubmodules(text: string): Submodule[] {
  const sections: Partial<Submodule>[] = []
  let section: Partial<Submodule> | undefined
  for (const line of text.split('\n').map((untrimmed) => untrimmed.trim())) {
    if (line.startsWith('[')) {
      section = line.startsWith('[submodule ') && line.endsWith(']') ? {} : undefined
      if (section !== undefined) sections.push(section)
    }
    const { key, value } = parseSetting(line) ?? {}
    if (section !== undefined && (key === 'path' || key === 'url') && value !== '') section[key] ??= value
  }
  return sections
    .filter((found): found is Submodule => found.path !== undefined && found.url !== undefined)
    .filter(({ path }) => isSafePath(path))
    .slice(0, maxSubmodules)
}

const binaryExtensions = new Set(
  (
    'png jpg jpeg gif webp avif bmp ico tif tiff heic psd mp3 wav flac aac ogg oga opus m4a aif aiff mid midi wma ' +
    'mp4 m4v mov avi mkv webm zip gz tgz bz2 xz 7z rar tar pdf doc docx xls xlsx ppt pptx woff woff2 ttf otf eot ' +
    'exe dll so dylib bin dat class jar wasm pyc sqlite db als flp logicx'
  ).split(' '),
)

/** True if a file with this name is always binary. */
export function isBinaryName(path: string): boolean {
  const extension = /\.([^./]+)$/.exec(path)?.[1]
  return extension !== undefined && binaryExtensions.has(extension.toLowerCase())
}

/** Maximum age of an account's snapshot, in milliseconds. */
export const snapshotLifetimeMs = 7 * 24 * 60 * 60 * 1000

/** Returns the character class of a path segment without the characters in `excluded`. */
function allExcept(excluded: string): string {
  return `[^${excluded}/\\\\\\u0000-\\u001f\\u007f-\\u009f]`
}

/** True for a path below the root of a repository that has only plain segments. */
function isSafePath(path: string): boolean {
  return path.length <= maxPathLength && path.split('/').every(isSegment)
}

function isSegment(segment: string): boolean {
  return (
    segment !== '' &&
    segment !== '.' &&
    segment !== '..' &&
    segment.toLowerCase() !== '.git' &&
    !controlCharacter.test(segment)
  )
}

/** Parses a line of the form `key = value`; undefined for any other line. */
function parseSetting(line: string): { key: string; value: string } | undefined {
  const index = line.indexOf('=')
  return index === -1 ? undefined : { key: line.slice(0, index).trim(), value: line.slice(index + 1).trim() }
}
