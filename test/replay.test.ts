import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { Worker } from '@temporalio/worker'
import { describe, expect, inject, test } from 'vitest'
import { connectClient, engineAddress } from '../engine/connect.ts'
import { actOn } from './chat/turn.ts'
import { readTranscript } from './transcript.ts'
import { createWorld, eventually } from './world.ts'
import type { World } from './world.ts'

const folder = fileURLToPath(new URL('histories', import.meta.url))
const files = (await readdir(folder)).filter((file) => file.endsWith('.json'))

describe('recorded histories', () => {
  test.each(files)('%s replays on the workflows of today', async (file) => {
    const history: unknown = JSON.parse(await readFile(`${folder}/${file}`, 'utf8'))
    const workflowBundle = { codePath: inject('built').workflowBundle }
    await Worker.runReplayHistory({ workflowBundle }, history, file)
  })

  test('every path of a turn and every other workflow type is recorded', () => {
    expect(files.sort()).toEqual([
      'ensure-workspace.json',
      'provision-sandbox.json',
      'turn-failed.json',
      'turn-headless.json',
      'turn-plain.json',
      'turn-question.json',
      'turn-retried.json',
      'turn-stopped.json',
      'turn-tools.json',
    ])
  })

  test('a history holds ids and no content', async () => {
    const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')))
    for (const text of texts) {
      const payloads = [...text.matchAll(/"data": ?"([A-Za-z0-9+/=]+)"/g)].map(([, data]) =>
        Buffer.from(data ?? '', 'base64'),
      )
      for (const payload of payloads) {
        expect(payload.length).toBeLessThan(2048)
        expect(payload.toString()).not.toContain('recorded words')
      }
    }
  })
})

const record = async (world: World, workflowId: string, name: string): Promise<void> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const handle = engine.client.workflow.getHandle(workflowId)
    await handle.result().catch(() => {})
    const json = historyToJSON(await handle.fetchHistory())
      .replaceAll(/"stackTrace": "(?:[^"\\]|\\.)*"/g, '"stackTrace": ""')
      .replaceAll(/"identity": "[^"]*"/g, '"identity": "recorder"')
      .replaceAll(/"name": "\d+@[^"]*"/g, '"name": "recorder"')
    await writeFile(`${folder}/${name}.json`, `${json}\n`)
  } finally {
    await engine.close()
  }
}

/** Writes the histories anew. A history that was recorded once stays: running workflows have it. */
describe.runIf(process.env['RECORD_HISTORIES'])('recording', () => {
  test('records every path', { timeout: 120_000 }, async () => {
    const world = await createWorld()
    try {
      const act = actOn(world)
      const chat = await act.openChat()
      const [owner] = await world.db<
        { id: string }[]
      >`select account_id as id from sessions where id = ${chat.sessionId}`
      await record(world, `workspace:${owner?.id}`, 'ensure-workspace')
      await record(world, `provision:${chat.sessionId}`, 'provision-sandbox')
      const turn = async (content: string, name: string, stop = false): Promise<void> => {
        const response = await act.post(chat, content)
        if (stop) {
          await eventually('the step is open', async () => {
            const { resumeIndex } = await act.load(chat)
            const live = await readTranscript(await act.resume(chat), ({ frames }) => frames.length > 3)
            return resumeIndex !== null && live.frames.length > 3 ? true : undefined
          })
          await act.stop(chat)
        }
        await readTranscript(response)
        await record(world, response.headers.get('x-workflow-run-id') ?? '', name)
      }
      await turn('@say recorded words', 'turn-plain')
      await turn('$ echo recorded words\n$ echo two\n---\n@say recorded words', 'turn-tools')
      await turn('@cut 2\n@say recorded words', 'turn-retried')
      await turn('@ask recorded words? a | b', 'turn-question')
      await turn('@badrequest', 'turn-failed')
      await turn('@stall', 'turn-stopped', true)
      const started = await world.request<{ runId: string }>('POST', '/api/chat/runs', {
        key: chat.account.key,
        body: { prompt: '@say recorded words' },
      })
      await record(world, started.body.runId, 'turn-headless')
    } finally {
      await world.close()
    }
  })
})
