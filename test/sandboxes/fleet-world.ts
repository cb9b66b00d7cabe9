import { randomUUID } from 'node:crypto'
import { freePort } from '../../dev/stack/ports.ts'
import { buildSandboxName } from '../../domain/sandboxes/places.ts'
import type { OpenChat } from '../chat/chat-api.ts'
import { localDrivers } from '../providers/sandbox/contract.ts'
import { createFakeModel, type FakeResponse } from '../world/models/fake-model.ts'
import { startObjectStore } from '../world/repositories/code-host.ts'
import { listFrames, type Transcript } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createSandboxApi } from './lifecycle/sandbox-api.ts'

export const hasBubblewrap = (await localDrivers()).some(({ name, available }) => name === 'bubblewrap' && available)
export const maxMegabytes = 4

export type Row = {
  packs: { id: string; bytes: number }[]
  takenAt: Date | null
  runId: string
  step: number | null
  changedAt: Date | null
}

export const nameOf = ({ sessionId }: OpenChat): string => buildSandboxName(sessionId)

/** Response that takes two seconds, so that the machine can be lost while the model is called. */
export const slowText = { text: 'This response takes long enough for the machine to be lost.', wordsPerSecond: 4 }

export const bash = (command: string): FakeResponse['calls'] => [{ name: 'bash', arguments: { command } }]

export const readOutputs = (transcript: Transcript): string[] =>
  listFrames(transcript).flatMap(({ type, output }) =>
    type === 'tool-output-available' ? [(output as { stdout?: string }).stdout ?? JSON.stringify(output)] : [],
  )

export const findLoss = (transcript: Transcript) =>
  listFrames(transcript).find(({ type }) => type === 'data-sandbox-loss')?.['data'] as
    | { checkpoint: { at: string; runId: string; step: number } | null; text: string; epoch: number }
    | undefined

/** Records a machine that no process serves as the machine of the sandbox. The restore deletes the local files. */
export const loseMachine = async ({ db }: World, chat: OpenChat): Promise<void> => {
  const machine = randomUUID()
  await db`update sandbox_places set machine_id = ${machine} where sandbox_name = ${nameOf(chat)}`
  await db`update sessions set sandbox_state = sandbox_state || ${db.json({ machine })} where id = ${chat.sessionId}`
  // A machine detects the loss of another machine only after it has reported for 15 seconds.
  await db`update machines set reports_since = now() - interval '1 minute'`
}

/** Starts a world whose sandboxes have checkpoints in an object store. */
export const createFleetWorld = async () => {
  const model = await createFakeModel()
  const store = await startObjectStore()
  const world = await createWorld({
    settings: {
      ...store.settings,
      SANDBOX_PROVIDER: 'bubblewrap',
      SANDBOX_ADDRESS: `127.0.0.1:${await freePort()}`,
      SANDBOX_CHECKPOINT_MB: String(maxMegabytes),
      MODEL_BASE_URL: model.url,
      DEFAULT_MODEL: 'local/assistant',
    },
  })
  const api = createSandboxApi(world)

  const findRow = async (chat: OpenChat): Promise<Row | undefined> => {
    const [row] = await world.db<Row[]>`select * from sandbox_checkpoints where sandbox_name = ${nameOf(chat)}`
    return row
  }

  return {
    world,
    model,
    api,
    findRow,
    openChat: async (): Promise<OpenChat> => {
      const chat = await api.chatApi.openChat()
      await world.db`update chats set model_id = 'custom/default' where id = ${chat.chatId}`
      return chat
    },
    untilCheckpoint: (chat: OpenChat, condition: (row: Row) => boolean): Promise<Row> =>
      eventually('the checkpoint', async () => {
        const row = await findRow(chat)
        return row !== undefined && row.changedAt === null && condition(row) ? row : undefined
      }),
    loseMachine: (chat: OpenChat): Promise<void> => loseMachine(world, chat),
    close: async (): Promise<void> => {
      await world.close()
      await model.close()
      await store.s3.close()
    },
  }
}
