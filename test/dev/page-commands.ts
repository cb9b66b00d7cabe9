import { randomUUID } from 'node:crypto'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { connect } from '../../db/postgres/client.ts'
import { readPage } from '../docs/pages.ts'
import { eventually } from '../world/world.ts'

/** Reads the code blocks of a documentation page in one language. */
export const readBlocks = (path: string, language: 'sh' | 'sql' = 'sh'): string[] =>
  [...readPage(path).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

/** Creates an empty database. Returns its name and a function that selects it in a URL of the server. */
export const createEmptyDatabase = async (prefix: string): Promise<{ name: string; select(url: string): string }> => {
  const name = `${prefix}_${randomUUID().replaceAll('-', '')}`
  const server = connect({ url: inject('postgresUrl'), max: 1, name: 'test' })
  await server`create database ${server(name)}`
  await server.end()
  return { name, select: (url) => Object.assign(new URL(url), { pathname: name }).href }
}

/** Runs documented commands in a folder. Programs that the test replaces are in its subfolder `bin`. */
export const createShell = (folder: string) => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder }
  const running: ChildProcess[] = []
  return {
    /** Replaces a program with a shell script. */
    replaceProgram: (name: string, script: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}`)
      chmodSync(join(bin, name), 0o755)
    },
    /** Runs a block and returns its output. Fails if a command fails or writes to stderr. */
    run: async (block: string): Promise<string> => {
      const result = await new Promise<{ failure: string | undefined; stdout: string; stderr: string }>((resolve) => {
        execFile('sh', ['-euc', block], { cwd: folder, env }, (error, stdout, stderr) =>
          resolve({ failure: error?.message, stdout, stderr }),
        )
      })
      expect(result).toEqual({ failure: undefined, stdout: result.stdout, stderr: '' })
      return result.stdout
    },
    /** Starts a process that runs until `close`. */
    start: (command: string[], options: { cwd?: string; env?: Record<string, string> } = {}): ChildProcess => {
      const [file = '', ...args] = command
      const child = spawn(file, args, {
        cwd: options.cwd ?? folder,
        env: { ...env, ...options.env },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      running.push(child)
      return child
    },
    /** Kills the started processes and waits until they have exited. */
    close: async (): Promise<void> => {
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(
        running
          .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
          .map((child) => once(child, 'exit')),
      )
    },
  }
}

/** Waits until a probe responds with a 2xx status. */
export const awaitProbe = (url: string): Promise<true> =>
  eventually(`a probe that succeeds at ${url}`, () =>
    fetch(url).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    ),
  )
