import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectClient } from '../../engine/connect.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { startWorkerProcess } from '../crash/processes.ts'
import { listFaults, listFrames, shownText } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'

type Output = { success: boolean; exitCode: number | null; stdout: string; stderr: string; truncated?: true }

/** Commands with different kinds of output, and the expected result in a sandbox with a real shell. */
const commands: [command: string, expected: Partial<Output>][] = [
  [`head -c 200000000 /dev/zero | tr '\\0' a`, { success: false, exitCode: null, truncated: true }],
  ['yes', { success: false, exitCode: null, truncated: true }],
  [`head -c 50000000 /dev/zero | tr '\\0' b; echo`, { success: false, exitCode: null, truncated: true }],
  ['head -c 3000000 /dev/urandom', { success: true, exitCode: 0, truncated: true }],
  [`head -c 60000 /dev/zero`, { success: true, exitCode: 0, truncated: true }],
  [
    `printf 'a\\0b\\377\\355\\240\\200c\\303'`,
    { success: true, exitCode: 0, stdout: 'a\uFFFDb\uFFFD\uFFFD\uFFFD\uFFFDc\uFFFD' },
  ],
]
/** Commands for the simulated shell. */
const simulatedCommands = [
  `printf '%9000000s' x; printf '%9000000s' x`,
  'for i in {1..100000}; do echo $i; done',
  'x=0123456789; for i in {1..30}; do x=$x$x; done; echo $x',
  `printf 'a\\0b\\xff\\xed\\xa0\\x80c\\xc3'`,
]
const buildMessage = (lines: string[]): string => [...lines.map((line) => `$ ${line}`), '---', '@say done'].join('\n')

/** Returns the peak memory of a process since the last call, in bytes. */
const readPeak = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024
}

/** Returns the size of the largest payload in the history of a run. */
const measureLargestPayload = async (world: World, runId: string): Promise<number> => {
  const engine = await connectClient({ address: world.temporalAddress, namespace: 'default', tls: false })
  try {
    const sizes: number[] = []
    const walk = (node: unknown): void => {
      if (node instanceof Uint8Array) sizes.push(node.length)
      else if (typeof node === 'object' && node !== null) Object.values(node).forEach(walk)
    }
    walk((await engine.client.workflow.getHandle(runId).fetchHistory()).events)
    return Math.max(...sizes)
  } finally {
    await engine.close()
  }
}

/** Runs a turn and checks the invariants of tool outputs. Returns the outputs. */
const runTurn = async (world: World, lines: string[]): Promise<Output[]> => {
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChat()
  const transcript = await chatApi.send(chat, buildMessage(lines))
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('done')
  const outputs = new Map(
    listFrames(transcript)
      .filter((frame) => frame.type === 'tool-output-available')
      .map((frame) => [frame['toolCallId'], frame['output'] as Output]),
  )
  const calls = listFrames(transcript).filter((frame) => frame.type === 'tool-input-available')
  const orderedOutputs = calls.map((call) => outputs.get(call['toolCallId'])!)
  for (const output of orderedOutputs) {
    expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThanOrEqual(200_000)
    expect(output.stdout.length).toBeLessThanOrEqual(50_000)
    expect(output.stdout).not.toMatch(/\0|\p{Surrogate}/u)
  }
  const { messages } = await chatApi.load(chat)
  const stored = messages[1]?.parts.filter((part) => part['type'] === 'tool-bash').map((part) => part['output'])
  expect(stored).toEqual(orderedOutputs)
  const [run] = await world.db<{ id: string; status: string }[]>`
    select id, status from runs where chat_id = ${chat.chatId}`
  expect(run?.status).toBe('completed')
  expect(await measureLargestPayload(world, run?.id ?? '')).toBeLessThan(8000)
  return orderedOutputs
}

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

test('a flood of output is truncated, the turn continues, and the memory of the worker stays bounded', async () => {
  const worker = await startWorkerProcess(world)
  await runTurn(world, ['true'])
  const before = await readPeak(worker.pid)
  const outputs = await runTurn(
    world,
    commands.map(([command]) => command),
  )
  const growth = (await readPeak(worker.pid)) - before
  const hasRealShell = outputs[1]?.exitCode === null
  if (hasRealShell) {
    for (const [index, [, expected]] of commands.entries()) expect(outputs[index]).toMatchObject(expected)
    for (const output of outputs.slice(0, 3)) expect(output.stderr).toMatch(/wrote more than \d+ bytes/)
    for (const output of outputs.slice(0, 4)) expect(output.stdout).toHaveLength(50_000)
  }
  expect(growth / 1e6).toBeLessThan(250)
  await worker.stop()
})

test('the output of the simulated shell is bounded in the same way', async () => {
  const simulating = await createWorld({ settings: { SANDBOX_PROVIDER: 'just-bash' } })
  try {
    const outputs = await runTurn(simulating, simulatedCommands)
    expect(outputs[0]).toMatchObject({ truncated: true })
    expect(outputs[0]?.stdout).toHaveLength(50_000)
    expect(outputs.slice(1, 3).map(({ success }) => success)).toEqual([false, false])
    expect(outputs[3]?.success).toBe(true)
  } finally {
    await simulating.close()
  }
})
