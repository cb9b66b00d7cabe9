import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bash } from '../../activities/tools/bash.ts'
import { defineTool, type WorkerContext } from '../../activities/tools/define.ts'
import { changesFiles, offerTools } from '../../activities/tools/index.ts'
import { fileTools, subAgentTool } from '../../domain/tools/turn-tools.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { createLocalSandboxes } from '../../providers/sandbox/local/local.ts'
import { runInSandbox, runInWorker } from './run-tool.ts'

let root: string
let sandbox: Sandbox
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'backline-tools-'))
  const log = { info: () => {}, warn: () => {} }
  const port = await createLocalSandboxes({ root, provider: 'auto', log })
  sandbox = await port.create({ name: 'tools', timeoutMs: 60_000, gitIdentity: { name: 'a', email: 'a@b.c' } })
})
afterAll(async () => {
  await sandbox.destroy()
  await rm(root, { recursive: true, force: true })
})

const run = (name: string, input: object): Promise<object> => runInSandbox(sandbox, name, input)

describe('bash', () => {
  it('returns both streams in order and the exit code', async () => {
    expect(await run('bash', { command: 'echo out; echo err >&2; exit 2' })).toEqual({
      success: false,
      exitCode: 2,
      stdout: 'out\nerr\n',
      stderr: '',
    })
  })

  it('runs a command with much output to its end and truncates the output to 50000 characters', async () => {
    const output = await run('bash', { command: `for i in {1..3000}; do echo ${'ü'.repeat(100)}; done; exit 0` })
    expect(output).toMatchObject({ success: true, exitCode: 0, truncated: true })
    expect((output as { stdout: string }).stdout).toHaveLength(50_000)
  })

  it('limits a stored output to 200 kB, regardless of its content', async () => {
    const output = await run('bash', { command: `printf '\\001%.0s' {1..50000}` })
    expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThan(200_000)
    expect(output).toMatchObject({ success: true, truncated: true })
  })

  it('returns the output of a finished command by its receipt', async () => {
    const ctx = { receipt: 'remembered' }
    const recall = (receipt: string) => (bash.runsIn === 'sandbox' ? bash.recall?.(sandbox, receipt) : undefined)
    expect(await recall(ctx.receipt)).toBeUndefined()
    const output = await runInSandbox(sandbox, 'bash', { command: 'echo once' }, ctx)
    expect(await recall(ctx.receipt)).toEqual(output)
  })

  it('starts a detached command, or reports that detached commands are not supported', async () => {
    const detachedCommand = await run('bash', { command: 'sleep 30', detached: true })
    if (sandbox.execDetached === undefined) expect(detachedCommand).toHaveProperty('error')
    else expect(detachedCommand).toMatchObject({ success: true, exitCode: null })
    const failed = await run('bash', { command: 'echo no; exit 3', detached: true })
    expect(failed).toMatchObject({ success: false })
    await sandbox.stop()
  })
})

describe('the tools write and read', () => {
  it('mark bytes that are not UTF-8 and preserve them in lines that do not change', async () => {
    const latin = Uint8Array.from([
      ...Buffer.from('Gr'),
      0xf6,
      ...Buffer.from('e\nGr'),
      0xfc,
      ...Buffer.from('e\nplain\n'),
    ])
    const files = {
      latin,
      utf16: Buffer.from('\ufeffüber\n', 'utf16le'),
      bom: Buffer.from('\ufeffone\n'),
      nul: Buffer.from('a\0b\n'),
    }
    await sandbox.writeFiles(Object.entries(files).map(([path, content]) => ({ path, content })))
    expect(await run('read', { filePath: 'latin' })).toMatchObject({
      content: '1: Gr\ufffde\n2: Gr\ufffde\n3: plain',
      lossy: true,
    })
    expect(await run('read', { filePath: 'utf16' })).toMatchObject({ content: '1: über', encoding: 'utf-16le' })
    expect(await run('read', { filePath: 'bom' })).toMatchObject({ content: '1: one', encoding: 'utf-8-bom' })
    expect(await run('read', { filePath: 'nul' })).toMatchObject({ success: true, binary: true })

    await run('write', { filePath: 'latin', content: 'Gr\ufffde\nGr\ufffde\nchanged\n' })
    const stored = await sandbox.readFile('latin', { maxBytes: 1000 })
    expect(Buffer.from(stored).toString('latin1')).toBe('Gröe\nGrüe\nchanged\n')
    expect(await run('write', { filePath: 'latin', content: 'Gr\ufffden\n' })).toMatchObject({
      success: false,
      error: expect.stringContaining('U+FFFD') as string,
    })
    await run('write', { filePath: 'utf16', content: 'größer\n' })
    await run('write', { filePath: 'bom', content: 'two\n' })
    const [utf16, bom] = await Promise.all(['utf16', 'bom'].map((path) => sandbox.readFile(path, { maxBytes: 1000 })))
    expect(Buffer.from(utf16 ?? []).toString('utf16le')).toBe('\ufeffgrößer\n')
    expect(Buffer.from(bom ?? []).toString()).toBe('\ufefftwo\n')
  })

  it('write content and read it back with numbered lines and the total number of lines', async () => {
    expect(await run('write', { filePath: 'a/b.txt', content: 'one\ntwö\nthree\n' })).toEqual({
      success: true,
      path: 'a/b.txt',
      bytesWritten: 15,
    })
    expect(await run('read', { filePath: '/workspace/a/b.txt', offset: 2, limit: 1 })).toEqual({
      success: true,
      path: 'a/b.txt',
      totalLines: 3,
      startLine: 2,
      endLine: 2,
      content: '2: twö',
    })
  })

  it.each([
    ['absent.txt', 'File not found'],
    ['a', 'Path is a folder'],
  ])('report a failure for %s', async (filePath, error) => {
    await run('write', { filePath: 'a/b.txt', content: '' })
    expect(await run('read', { filePath })).toEqual({ success: false, error })
  })

  it('truncate a long file and a single line that exceeds the limit', async () => {
    await run('write', { filePath: 'long', content: `${'"'.repeat(300)}\n`.repeat(1500) })
    const long = await run('read', { filePath: 'long' })
    expect(long).toMatchObject({ success: true, totalLines: 1500, truncated: true })
    expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(200_000)
    await run('write', { filePath: 'wide', content: 'x'.repeat(500_000) })
    const wide = await run('read', { filePath: 'wide' })
    expect(wide).toMatchObject({ success: true, startLine: 1, endLine: 1, truncated: true })
    expect(Buffer.byteLength(JSON.stringify(wide))).toBeLessThan(200_000)
  })
})

describe('a file that is too large to read whole', () => {
  it('is read by the requested lines', async () => {
    await run('bash', { command: 'seq 1 3000000 > many.txt; printf "last without end" >> many.txt' })
    const page = await run('read', { filePath: 'many.txt', offset: 2_999_999, limit: 10 })
    expect(page).toEqual({
      success: true,
      path: 'many.txt',
      totalLines: 3_000_001,
      startLine: 2_999_999,
      endLine: 3_000_001,
      content: '2999999: 2999999\n3000000: 3000000\n3000001: last without end',
    })
  })
})

describe('todo', () => {
  it('returns the list and needs no sandbox', async () => {
    const todos = [{ id: '1', content: 'mix', status: 'pending' }]
    expect(await runInWorker('todo', { todos }, {} as WorkerContext)).toEqual({
      success: true,
      message: expect.any(String),
      todos,
    })
  })
})

it('a tool definition without a required member does not compile', () => {
  const complete = {
    name: 'whole',
    description: 'A tool.',
    input: z.object({ word: z.string() }),
    offeredTo: () => true,
    runsIn: 'worker',
    mayRepeat: true,
    run: async ({ word }: { word: string }) => ({ word }),
  } as const
  const { mayRepeat, run: _, ...withoutRun } = complete
  const { offeredTo, ...withoutOffer } = complete
  expect(defineTool(complete)).toBe(complete)
  // @ts-expect-error no `run`
  defineTool({ ...withoutRun, mayRepeat })
  // @ts-expect-error no `mayRepeat`
  defineTool({ ...withoutRun, run: complete.run })
  // @ts-expect-error no `offeredTo`
  defineTool(withoutOffer)
  // @ts-expect-error `run` does not take the input
  defineTool({ ...complete, offeredTo, run: async ({ word }: { word: number }) => ({ word }) })
})

it('lists the tools whose turns may have something to commit: those that change files, and sub-agents', () => {
  const names = offerTools({ isSubAgent: false, headless: false, hasSkills: true }).definitions.map(({ name }) => name)
  expect(names.filter((name) => changesFiles(name) || name === subAgentTool)).toEqual(fileTools)
})
