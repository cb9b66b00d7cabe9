import { existsSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { repeatedWords } from '../../chat/chat-api.ts'
import { makePerson } from '../../world/people.ts'
import { scaled } from '../../cost/scale.ts'
import { listFrames, listTypes, readTranscript, shownText } from '../../world/transcript.ts'
import { eventually } from '../../world/world.ts'
import { createRandom, shuffle } from '../../world/random.ts'
import { newSeed } from '../campaign/command.ts'
import { describeInjection } from '../campaign/report.ts'
import { runRound } from '../campaign/round.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { listProcesses } from '../cluster/leftovers.ts'
import { createNemesis, type FaultKind } from '../faults/nemesis.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import { createFleetApi, expectComplete, type FleetChat } from './fleet-api.ts'

const wordCount = 120
/** One member of the Temporal server, to save CPU. */
const fleet = { machines: 3, engine: 'server', members: 1, store: 's3' } as const

const seed = Number(process.env['CHAOS_SEED'] ?? newSeed())

let cluster: Cluster
let folder: string
let services: ExternalServices
let api: ReturnType<typeof createFleetApi>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-fleet-'))
  services = await createExternalServices()
  const settings = { LOCAL_MODEL_WORDS_PER_SECOND: '40' }
  cluster = await startCluster({ ...fleet, folder, settings, modelUrl: services.modelUrl, built: inject('built') })
  api = createFleetApi(cluster, await makePerson(cluster.db, cluster.serverSecret, { credits: 1_000_000 }))
})
afterAll(async () => {
  expect(await cluster.close()).toEqual([])
  await services.close()
  expect(listProcesses(folder)).toEqual([])
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})

/** Returns the number of the machine whose worker executes the run. */
const findMachine = async (runId: string): Promise<number | undefined> => {
  const [head] = await cluster.db<{ holder: number | null }[]>`
    select holder from stream_head where run_id = ${runId}`
  for (const part of cluster.workers()) {
    const sessions = await cluster.backends(part)
    if (sessions.some(({ name }) => name === `backline lock ${head?.holder}`)) return Number(part.split('-')[1])
  }
  return undefined
}

test('a turn through the load balancer runs a command, and its stream has no gap', async () => {
  const chat = await api.openChat()
  const transcript = await readTranscript(await api.send(chat, '$ echo one > file; cat file'))
  expectComplete(transcript)
  expect(listTypes(transcript)).toContain('tool-output-available')
})

test('a stream that is cut at one API resumes at another API without a gap', async () => {
  const chat = await api.openChat()
  const [first, second] = cluster.apiUrls()
  const cut = await readTranscript(
    await api.send(chat, `@words ${wordCount}`, first),
    ({ frames }) => frames.length === 20,
  )
  const rest = await readTranscript(await api.resume(chat, cut, second))
  const whole = { ...rest, frames: [...cut.frames, ...rest.frames] }
  expectComplete(whole)
  expect(shownText(whole)).toBe(repeatedWords(wordCount))
})

test('a turn continues when its machine is lost, and the machine can return', async () => {
  const chat = await api.openChat()
  const response = await api.send(chat, `@words ${wordCount}`)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const begun = await readTranscript(response, ({ frames }) => frames.length === 20)
  const machine = await eventually('the machine of the run', () => findMachine(runId))
  const reading = api.readRest(chat, begun)
  try {
    const [whole] = await Promise.all([reading, cluster.machines.lose(machine)])
    expectComplete(whole)
    expect(shownText(whole)).toBe(repeatedWords(wordCount))
  } finally {
    await cluster.machines.bringBack(machine)
  }
  await cluster.untilReady()
})

const getSandboxName = ({ sessionId }: FleetChat): string => `session-${sessionId}`

/** Returns the number of the only machine with files of the chat's sandbox. */
const findSandboxMachine = (chat: FleetChat): number => {
  const [machine, ...others] = cluster.machines.listWithSandbox(getSandboxName(chat))
  if (machine === undefined || others.length > 0)
    throw new Error(`files on the machines ${machine} ${others.join(' ')}`)
  return machine
}

test('turns on any machine use the same files, which are stored on one machine', async () => {
  const chat = await api.openChat()
  for (let line = 1; line <= scaled(4, 8); line++)
    expect(await api.run(chat, `echo ${line} >> lines; tr '\\n' ' ' < lines`)).toBe(
      Array.from({ length: line }, (_, index) => `${index + 1} `).join(''),
    )
  expect(cluster.machines.listWithSandbox(getSandboxName(chat))).toHaveLength(1)
})

test('every machine can connect to a sandbox on another machine', async () => {
  const chat = await api.openChat()
  for (let round = 0; round < 8; round++) {
    const response = await api.sendRequest('GET', `/api/sandbox/reconnect?sessionId=${chat.sessionId}`)
    expect(await response.json()).toMatchObject({ status: 'connected', lifecycle: { state: 'active' } })
  }
})

test('the files of deleted sessions are removed from their machines', async () => {
  const chats = await Promise.all(Array.from({ length: 3 }, api.openChat))
  const listAll = (): number[] => chats.flatMap((chat) => cluster.machines.listWithSandbox(getSandboxName(chat)))
  expect(listAll()).toHaveLength(3)
  for (const { sessionId } of chats)
    expect((await api.sendRequest('DELETE', `/api/sessions/${sessionId}`)).status).toBeLessThan(300)
  await eventually('the removal of the files', async () => (listAll().length === 0 ? true : undefined), 100_000)
})

test('a machine lost during a command loses only the files of this step, and the chat is notified', async () => {
  const chat = await api.openChat()
  await api.run(chat, 'echo kept > pushed; echo home > ~/home')
  const machine = findSandboxMachine(chat)
  const response = await api.send(chat, '$ echo begun > begun; sleep 60')
  const reading = readTranscript(response).then((read) => api.readRest(chat, read))
  const begun = join(cluster.machines.dataDir(machine), 'sandboxes', getSandboxName(chat), 'workspace', 'begun')
  await eventually('the command', async () => (existsSync(begun) ? true : undefined))
  await cluster.machines.lose(machine)
  try {
    const transcript = await reading
    expectComplete(transcript)
    const types = listTypes(transcript)
    expect(types).toContain('data-sandbox-loss')
    expect(types.indexOf('data-sandbox-loss')).toBeLessThan(types.indexOf('tool-output-available'))
    expect(JSON.stringify(listFrames(transcript))).toContain('outcome unknown')
    expect(await api.run(chat, 'cat pushed ~/home; ls begun 2>&1')).toMatch(/^kept\nhome\nls: .*\n$/)
    expect(findSandboxMachine(chat)).not.toBe(machine)
  } finally {
    await cluster.machines.bringBack(machine)
  }
  await cluster.untilReady()
  await api.sendRequest('DELETE', `/api/sessions/${chat.sessionId}`)
})

// A retry would hide a violation.
test(`every guarantee holds under faults of machines and servers (CHAOS_SEED=${seed})`, { retry: 0 }, async () => {
  const random = createRandom(seed)
  const kinds: FaultKind[] = shuffle(random.fork('kinds'), [
    random.fork('machine').pick(['machine', 'machine-cut', 'machine-returns'] as const),
    'engine-member',
    'store',
  ])
  const pauses = random.fork('pauses')
  const round = await runRound({
    cluster,
    services,
    nemesis: createNemesis({
      cluster,
      random: random.fork('nemesis'),
      requests: services.requests,
      temporalDownMs: 2000,
    }),
    seed,
    random,
    users: 2,
    mix: { tools: 60, queue: 0, long: 0 },
    showsEffects: true,
    kinds,
    pauseMs: () => pauses.between(200, 1500),
    minRuns: 4,
  })
  const injected = round.injections.map(describeInjection).join('\n')
  expect(round.violations, injected).toEqual([])
  expect(round.anomalies, injected).toEqual([])
  expect(cluster.errorLines(), injected).toEqual([])
  expect(round.injections.map(({ fault }) => fault.observed)).toEqual(kinds.map(() => true))
})
