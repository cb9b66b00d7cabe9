import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { idleTimeoutMs } from '../../../providers/sandbox/fork-server.ts'
import { runGroup, type GroupOptions } from '../../../providers/sandbox/local/process-group.ts'
import { eventually } from '../../world/world.ts'

const source = fileURLToPath(new URL('../../../providers/sandbox/local/process-group.ts', import.meta.url))
const options: GroupOptions = { args: Buffer.alloc(0), timeoutMs: 20_000, maxOutputBytes: 10_000 }

const buildShellCommand = (script: string, ...scriptArguments: string[]): string[] => [
  'bash',
  '--norc',
  '-c',
  script,
  'bash',
  ...scriptArguments,
]

/** Returns the shell command that writes the status line of a sandbox with this exit code. */
const writeStatus = (code: number): string => `echo '{ "exit-code": ${code} }' >&4`

const readGroupParent = async (): Promise<number> => {
  const { output } = await runGroup(buildShellCommand('echo $PPID $PARENT'), options)
  const [parent, reported] = output.toString().trim().split(' ').map(Number)
  expect(reported).toBe(parent)
  return parent ?? 0
}

/** Waits for the fork server and returns its pid. Until then, groups start from this process. */
const findServerPid = (): Promise<number> =>
  eventually('the fork server', async () => {
    const parent = await readGroupParent()
    return parent === process.pid ? undefined : parent
  })

const hasExited = async (pid: number): Promise<true | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat === '' || stat.includes(') Z ') ? true : undefined
}

describe.skipIf(process.platform !== 'linux')('a process group', () => {
  let server: number
  beforeEach(async () => {
    server = await findServerPid()
  })

  test('receives its descriptors and input and returns all its output', async () => {
    const script = `cat <&3; cat <&5; cat <&6; cat; echo said >&2; ${writeStatus(3)}`
    const result = await runGroup(buildShellCommand(script), {
      ...options,
      args: Buffer.from('arguments '),
      script: 'script ',
      filter: Buffer.from('filter '),
      stdin: 'input',
    })
    expect(result).toMatchObject({ exitCode: 3, complaint: 'said\n', truncated: false, timedOut: false })
    expect(result.output.toString()).toBe('arguments script filter input')
  })

  test('ends at its output limit and returns the output up to the limit', async () => {
    const chunks: Buffer[] = []
    const result = await runGroup(buildShellCommand('yes'), { ...options, onBytes: (bytes) => chunks.push(bytes) })
    expect(result).toMatchObject({ exitCode: null, truncated: true })
    expect(result.output).toHaveLength(10_000)
    expect(Buffer.concat(chunks)).toEqual(result.output)
  })

  test('ends with all its processes when it is aborted', async () => {
    const controller = new AbortController()
    let inner = 0
    const execution = runGroup(buildShellCommand('sleep 60 & echo $!; wait'), {
      ...options,
      signal: controller.signal,
      onBytes: (bytes) => {
        inner = Number(bytes.toString())
        controller.abort(new Error('enough'))
      },
    })
    await expect(execution).rejects.toThrow('enough')
    await eventually('the end of the inner process', () => hasExited(inner))
  })

  test.each([
    ['has a NUL in an argument', ['true', 'a\0b'], /null bytes/],
    ['has too long an argument', ['true', 'x'.repeat(200_000)], /E2BIG/],
    ['runs an unknown program', ['no-such-program'], /ENOENT/],
  ])('that %s is rejected without affecting other groups', async (_, argv, refusal) => {
    const other = runGroup(buildShellCommand(`sleep 0.3; echo alive; ${writeStatus(0)}`), options)
    await expect(runGroup(argv, options)).rejects.toThrow(refusal)
    expect((await other).output.toString()).toBe('alive\n')
    expect(await findServerPid()).toBe(server)
  })

  test('ends when it is aborted, even if the fork server is suspended', async () => {
    const controller = new AbortController()
    const execution = runGroup(['setpriv', '--pdeathsig', 'KILL', ...buildShellCommand('echo begun; exec sleep 60')], {
      ...options,
      signal: controller.signal,
      onBytes: () => {
        process.kill(server, 'SIGSTOP')
        controller.abort(new Error('enough'))
      },
    })
    await expect(execution).rejects.toThrow('enough')
    await eventually('the end of the server', () => hasExited(server))
  })

  test('keeps the fork server until it is idle for a minute, and later groups start normally', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await readGroupParent()
      vi.advanceTimersByTime(idleTimeoutMs - 1)
      expect(await readGroupParent()).toBe(server)
      vi.advanceTimersByTime(idleTimeoutMs)
    } finally {
      vi.useRealTimers()
    }
    await eventually('the end of the server', () => hasExited(server))
    expect(await readGroupParent()).toBe(process.pid)
  })

  test('ends when the fork server is killed, and later groups start normally', async () => {
    let inner = 0
    const groupOfKilledServer = runGroup(
      ['setpriv', '--pdeathsig', 'KILL', ...buildShellCommand('echo $$; exec sleep 60')],
      {
        ...options,
        onBytes: (bytes) => {
          inner = Number(bytes.toString())
          process.kill(server, 'SIGKILL')
        },
      },
    )
    expect(await groupOfKilledServer).toMatchObject({
      exitCode: null,
      timedOut: false,
      complaint: expect.stringContaining('fork server'),
    })
    await eventually('the end of the group', () => hasExited(inner))
    expect(await readGroupParent()).toBe(process.pid)
  })
})

test.skipIf(process.platform !== 'linux')(
  'a process whose groups have ended can exit, and its fork server exits with it',
  async () => {
    const script = `
    const { runGroup } = await import(${JSON.stringify(source)})
    let parent = process.pid
    while (parent === process.pid) {
      const { output } = await runGroup(['bash', '-c', 'echo $PPID'], ${JSON.stringify({ ...options, args: '' })})
      parent = Number(output)
    }
    console.log(parent)`
    const argv = ['--import', 'tsx', '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 20_000 })
    await eventually('the end of the fork server', () => hasExited(Number(stdout)))
  },
)
