import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { returnVerdict, assemble, field, load, when } from '../../../providers/sandbox/system-calls/bpf.ts'
import { absentCalls, refusedCalls, systemCallFilter } from '../../../providers/sandbox/system-calls/filter.ts'
import {
  architectures,
  findCallNumber,
  numbers,
  type CallName,
  type Processor,
} from '../../../providers/sandbox/system-calls/numbers.ts'
import { limits, localDrivers, useSandboxFixture } from '../../providers/sandbox/contract.ts'
import { computeVerdict } from './seccomp-machine.ts'

const source = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

const [allow, kill, refuse, EPERM, ENOSYS, EPROTONOSUPPORT, EAFNOSUPPORT] = [
  0x7fff0000, 0x80000000, 0x50000, 1, 38, 93, 97,
]
const [newUser, newNet, newTime, sigchld] = [0x10000000, 0x40000000, 0x80, 17]

/** Calls that are rejected because of an argument. `ordinary` contains the same calls with allowed arguments. */
const byArgument: [CallName, number[], number][] = [
  ['socket', [40, 1, 0], EAFNOSUPPORT],
  ['socket', [38, 5, 0], EAFNOSUPPORT],
  ['socket', [17, 3, 0], EAFNOSUPPORT],
  ['socket', [16, 3, 15], EPROTONOSUPPORT],
  ['socket', [16, 3, 12], EPROTONOSUPPORT],
  ['socket', [2, 1, 132], EPROTONOSUPPORT],
  ['socketpair', [40, 1, 0], EAFNOSUPPORT],
  ['clone', [newUser | sigchld], EPERM],
  ['clone', [newNet | sigchld], EPERM],
  ['unshare', [newUser], EPERM],
  ['unshare', [newTime], EPERM],
  ['ioctl', [0, 0x5412], EPERM],
  ['ioctl', [0, 0x541c], EPERM],
  ['ioctl', [0, 0x5423], EPERM],
  // The kernel uses only the lower 32 bits of this argument.
  ['ioctl', [0, 2 ** 32 + 0x5412], EPERM],
  ['socket', [2 ** 32 + 40, 1, 0], EAFNOSUPPORT],
  ['personality', [0x400000], EPERM],
  ['personality', [0x40000], EPERM],
]
const ordinary: [CallName, number[]][] = [
  ['socket', [1, 1, 0]],
  ['socket', [2, 1, 6]],
  ['socket', [10, 2, 17]],
  ['socket', [16, 3, 0]],
  ['socketpair', [1, 1, 0]],
  ['clone', [0x1200011]],
  ['unshare', [0x400]],
  ['ioctl', [0, 0x5413]],
  ['personality', [0xffffffff]],
]

describe.each(['x64', 'arm64'] as Processor[])('the filter of system calls for %s', (processor) => {
  const program = systemCallFilter(processor)
  const getVerdict = (number: number, args: number[] = []): number =>
    computeVerdict(program, { architecture: architectures[processor], number, args })
  const availableCalls = (Object.keys(numbers) as CallName[]).filter(
    (name) => findCallNumber(name, processor) !== undefined,
  )
  const getNumber = (name: CallName): number => findCallNumber(name, processor) ?? -1

  it('rejects the listed calls and allows all other calls', () => {
    const callsByNumber = new Map(availableCalls.map((name) => [getNumber(name), name]))
    expect(callsByNumber.size).toBe(availableCalls.length)
    for (let number = 0; number <= 466; number++) {
      const name = callsByNumber.get(number)
      const verdict = getVerdict(number)
      if (name === undefined) expect(verdict, String(number)).toBe(allow)
      else if (refusedCalls.includes(name)) expect(verdict, name).toBe(refuse | EPERM)
      else if (absentCalls.includes(name)) expect(verdict, name).toBe(refuse | ENOSYS)
    }
  })

  it('rejects some calls only with unusual arguments', () => {
    for (const [name, args, error] of byArgument)
      expect(getVerdict(getNumber(name), args), `${name} ${args.join()}`).toBe(refuse | error)
    for (const [name, args] of ordinary) expect(getVerdict(getNumber(name), args), `${name} ${args.join()}`).toBe(allow)
  })

  it('reports calls that are newer than its list as not implemented', () => {
    for (const number of [467, 1000, 0x3fffffff, 0xffffffff]) expect(getVerdict(number)).toBe(refuse | ENOSYS)
  })

  it('kills a program that uses the calling convention of another architecture', () => {
    for (const architecture of [0x40000003, 0x40000028, processor === 'x64' ? architectures.arm64 : architectures.x64])
      expect(computeVerdict(program, { architecture, number: 0 })).toBe(kill)
    if (processor === 'x64') expect(getVerdict(0x40000000 + 39)).toBe(kill)
  })
})

/**
 * Builds a filter that rejects prctl with PR_SET_SECCOMP, as a kernel without seccomp does.
 */
const rejectFilters = (processor: Processor): Buffer =>
  assemble([
    load(field.number),
    ...when('equal', { x64: 157, arm64: 167 }[processor], [
      load(field.argument(0)),
      ...when('equal', 22, [returnVerdict(refuse | 22)]),
    ]),
    returnVerdict(allow),
  ])

const headers = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' }

it.each(['x64', 'arm64'] as Processor[])("the filter uses the kernel's call numbers for %s", (processor) => {
  if (!existsSync(headers[processor])) return
  const header = readFileSync(headers[processor], 'utf8')
  for (const name of Object.keys(numbers) as CallName[]) {
    const defined = new RegExp(`#define __NR(?:3264)?_${name}\\s+(\\d+)`).exec(header)?.[1]
    if (defined !== undefined) expect(findCallNumber(name, processor), name).toBe(Number(defined))
  }
})

const bubblewrap = (await localDrivers()).find(({ name }) => name === 'bubblewrap')
if (bubblewrap === undefined) throw new Error('no driver of that name')
const { available, reason } = bubblewrap
const processor = process.arch as Processor

/** Programs that make each call of their input, `name number argument...`, in a child process and print `name: errno`. */
const callers = {
  perl: `use POSIX ();
    while (<STDIN>) { my ($name, $number, @args) = split; my $child = fork; die if !defined $child;
      if (!$child) { $! = 0; my $result = syscall $number, map { $_ + 0 } @args, (0) x (5 - @args);
        POSIX::_exit($result == -1 ? $! + 0 : 0) }
      waitpid $child, 0; print "$name: ", $? & 127 ? 'killed' : $? >> 8, "\\n" }`,
  python3: `import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
for line in sys.stdin:
    name, number, *args = line.split()
    child = os.fork()
    if not child:
        wide = [ctypes.c_long(int(arg)) for arg in args + ['0'] * (5 - len(args))]
        os._exit(ctypes.get_errno() if libc.syscall(ctypes.c_long(int(number)), *wide) == -1 else 0)
    status = os.waitpid(child, 0)[1]
    print(name + ':', 'killed' if os.WIFSIGNALED(status) else os.WEXITSTATUS(status), flush=True)`,
}

describe.skipIf(!available)(`a command in ${available ? 'bubblewrap' : `bubblewrap (skipped: ${reason})`}`, () => {
  const fixture = useSandboxFixture(bubblewrap)

  const makeCalls = async (calls: string[]): Promise<string[]> => {
    const interpreter = existsSync('/usr/bin/perl') ? 'perl' : 'python3'
    const command = `${interpreter} ${interpreter === 'perl' ? '-e' : '-c'} "$CALLER"`
    const { output } = await fixture.sandbox.exec(command, {
      ...limits,
      env: { CALLER: callers[interpreter] },
      stdin: `${calls.join('\n')}\n`,
    })
    return output.trim().split('\n')
  }
  const findNativeNumber = (name: CallName): number | undefined => findCallNumber(name, processor)

  it('is denied every call on the list', async () => {
    const calls = [
      ...refusedCalls.map((name) => ({ name, args: [] as number[], error: EPERM })),
      ...absentCalls.map((name) => ({ name, args: [] as number[], error: ENOSYS })),
      ...byArgument.map(([name, args, error]) => ({ name, args, error })),
    ].filter(({ name }) => findNativeNumber(name) !== undefined)
    const lines = calls.map(({ name, args }) => [name, findNativeNumber(name), ...args].join(' '))
    expect(await makeCalls(lines)).toEqual(calls.map(({ name, error }) => `${name}: ${error}`))
  })

  it('cannot make a call that is newer than the list', async () => {
    expect(await makeCalls(['newer 467', 'newest 600'])).toEqual([`newer: ${ENOSYS}`, `newest: ${ENOSYS}`])
  })

  it.runIf(processor === 'x64')('is killed when it calls through the x32 interface', async () => {
    expect(await makeCalls([`getpid ${0x40000000 + 39}`])).toEqual(['getpid: killed'])
  })

  it('is filtered, whichever function starts it', async () => {
    const status = 'grep Seccomp: /proc/self/status'
    expect(await fixture.run(status)).toBe('Seccomp:\t2\n')
    expect((await fixture.sandbox.exec(status, { ...limits, stdin: 'x' })).output).toBe('Seccomp:\t2\n')
    expect((await fixture.sandbox.execDetached?.(status, { watchMs: 20_000 }))?.output).toBe('Seccomp:\t2\n')
  })

  it('runs without a filter if the kernel does not support filters, and the driver reports the missing filter', async () => {
    const script = `
      const { createBubblewrapSandboxes } = await import(${JSON.stringify(source('providers/sandbox/bubblewrap/bubblewrap.ts'))})
      const port = await createBubblewrapSandboxes({ root: process.argv[1] })
      process.stdout.write(JSON.stringify(await port.probe()), () => process.exit())`
    const root = await mkdtemp(join(tmpdir(), 'backline-unfiltered-'))
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script, root]
    const child = spawn('bwrap', ['--dev-bind', '/', '/', '--cap-add', 'ALL', '--seccomp', '3', '--', ...node], {
      cwd: source(''),
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    })
    const input = child.stdio[3] as Writable
    input.end(rejectFilters(processor))
    const probed = JSON.parse(await text(child.stdout as Readable)) as unknown
    await rm(root, { recursive: true })
    expect(probed).toEqual({ ok: true, isolation: expect.stringContaining('system calls NOT filtered (this kernel') })
  })

  it.each([
    [
      'node with threads',
      `node -e "new (require('node:worker_threads').Worker)('console.log(1)', { eval: true })"`,
      '1\n',
    ],
    [
      'node code that lists the network interfaces',
      `node -e "console.log(Object.keys(require('node:os').networkInterfaces()))"`,
      "[ 'lo' ]\n",
    ],
    [
      'python3',
      'python3 -c "import threading; t = threading.Thread(target=print, args=(2,)); t.start(); t.join()"',
      '2\n',
    ],
    [
      'git',
      'git init -q r && cd r && echo x > f && git add . && git commit -qm m && git gc -q && git log --oneline | wc -l',
      '1\n',
    ],
    ['tar and gzip', 'mkdir t; seq 1000 > t/a; tar czf t.gz t && tar xzf t.gz -O t/a | tail -1', '1000\n'],
    ['sort with threads', 'seq 200000 | sort --parallel=2 -rn -S 1M | head -1', '200000\n'],
    ['bash with pipes', 'diff <(echo a) <(echo a) && echo same', 'same\n'],
    [
      'curl to a local server',
      `node -e "require('node:http').createServer((q, s) => s.end('served')).listen(8000, () => require('node:child_process').exec('curl -s localhost:8000', (e, out) => { console.log(out); process.exit() }))"`,
      'served\n',
    ],
    ['gcc', 'echo "int main(){return 7;}" > a.c; gcc a.c && { ./a.out; echo $?; }', '7\n'],
    ['strace', 'strace -f -o /dev/null true && echo traced', 'traced\n'],
  ])('can run %s', async (_, command, output) => {
    const [program = ''] = /^(python3|git|gcc|strace)/.exec(command.replace(/^echo.*; gcc/, 'gcc')) ?? []
    if (program !== '' && (await fixture.sandbox.exec(`command -v ${program}`, limits)).exitCode !== 0) return
    expect(await fixture.run(command)).toBe(output)
  })
})
