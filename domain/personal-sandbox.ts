import { z } from 'zod'
import { codePoints } from './fields.ts'

/** The steps of a setup in their order: names of the log that its run shows. */
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

/** Where and how a setup's commit is made. */
export const setupMessage = 'Set up workspace'

/** A personal repository is never an account's workspace repository, which has the bare id as its name. */
export const personalRepositoryName = (accountId: string): string => `personal-${accountId}`

/** A setup has a sandbox of its own. */
export const personalSandboxName = (runId: string): string => runId.replace('run_', 'personal-').toLowerCase()

const control = /[\p{Cc}\\]/u
const isSegment = (segment: string): boolean =>
  segment !== '' && segment !== '.' && segment !== '..' && segment.toLowerCase() !== '.git' && !control.test(segment)

const mostPath = 4096

/** A path below the root of a repository: plain segments only. */
const isSafePath = (path: string): boolean => path.length <= mostPath && path.split('/').every(isSegment)

const unsafe = { error: 'must be a relative path without "..", ".git", empty segments and control characters' }

export const filePath = z.string().min(1).refine(isSafePath, unsafe)

/** A folder; empty for the root. */
export const folderPath = z.string().refine((path) => path === '' || isSafePath(path), unsafe)

export const fileName = z.string().refine((name) => isSegment(name) && !name.includes('/') && codePoints(name) <= 255, {
  error: 'must be one path segment of 1 to 255 characters',
})

/** One entry of a repository's `.gitmodules`. */
export type Submodule = { path: string; url: string }

/** Entries whose path is safe; the rest is not content. */
export const parseSubmodules = (text: string): Submodule[] =>
  text
    .split(/^\s*\[submodule [^\n]*\]\s*$/m)
    .slice(1)
    .flatMap((section) => {
      const valueOf = (key: string): string | undefined =>
        new RegExp(`^\\s*${key}\\s*=\\s*(\\S.*?)\\s*$`, 'm').exec(section)?.[1]
      const [path, url] = [valueOf('path'), valueOf('url')]
      return path !== undefined && url !== undefined && isSafePath(path) ? [{ path, url }] : []
    })

const binaryExtensions = new Set(
  (
    'png jpg jpeg gif webp avif bmp ico tif tiff heic psd mp3 wav flac aac ogg oga opus m4a aif aiff mid midi wma ' +
    'mp4 m4v mov avi mkv webm zip gz tgz bz2 xz 7z rar tar pdf doc docx xls xlsx ppt pptx woff woff2 ttf otf eot ' +
    'exe dll so dylib bin dat class jar wasm pyc sqlite db als flp logicx'
  ).split(' '),
)

/** True when a file of this name is binary whatever its bytes are. */
export const isBinaryName = (path: string): boolean => {
  const extension = /\.([^./]+)$/.exec(path)?.[1]
  return extension !== undefined && binaryExtensions.has(extension.toLowerCase())
}

/** Milliseconds for which an account's snapshot is started from. */
export const snapshotLifetimeMs = 7 * 24 * 60 * 60 * 1000
