import { z } from 'zod'
import { codePoints } from '../fields/fields.ts'

/** Name of the job that sets up an account's sandbox. */
export const setupJob = 'setup-sandbox'

/** The steps of a setup in order: names in the log of its run. */
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

/** A personal repository is never an account's workspace repository, which has the bare id as its name. */
export function personalRepositoryName(accountId: string): string {
  return `personal-${accountId}`
}

/** Returns the name of a setup's sandbox. Each setup has its own. */
export function personalSandboxName(runId: string): string {
  return runId.replace('run_', 'personal-').toLowerCase()
}

const control = /[\p{Cc}\\]/u

const rest = `${charactersBut('')}*`
const gitLike = `[gG](${charactersBut('iI')}${rest}|[iI](${charactersBut('tT')}${rest}|[tT]${charactersBut('')}${rest})?)?`
const segment = `(${charactersBut('.')}${rest}|\\.(${charactersBut('.gG')}${rest}|\\.${charactersBut('')}${rest}|${gitLike}))`
const pathPattern = `${segment}(/${segment})*`

const maxPath = 4096

const unsafe = { error: 'must be a relative path without "..", ".git", empty segments and control characters' }

export const filePath = z
  .string()
  .min(1)
  .refine(isSafePath, unsafe)
  .meta({ maxLength: maxPath, pattern: `^${pathPattern}$` })

/** A folder; empty for the root. */
export const folderPath = z
  .string()
  .refine((path) => path === '' || isSafePath(path), unsafe)
  .meta({ maxLength: maxPath, pattern: `^(${pathPattern})?$` })

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

/** Parses the entries with a safe path and drops all others. */
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

/** Character class of a path segment that also excludes the characters in `more`. */
function charactersBut(more: string): string {
  return `[^${more}/\\\\\\u0000-\\u001f\\u007f-\\u009f]`
}

/** A path below the root of a repository: plain segments only. */
function isSafePath(path: string): boolean {
  return path.length <= maxPath && path.split('/').every(isSegment)
}

function isSegment(segment: string): boolean {
  return (
    segment !== '' && segment !== '.' && segment !== '..' && segment.toLowerCase() !== '.git' && !control.test(segment)
  )
}

/** `key = value` of a line; undefined for any other line. */
function parseSetting(line: string): { key: string; value: string } | undefined {
  const index = line.indexOf('=')
  return index === -1 ? undefined : { key: line.slice(0, index).trim(), value: line.slice(index + 1).trim() }
}
