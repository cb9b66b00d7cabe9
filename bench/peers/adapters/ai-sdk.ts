import { spawnSync } from 'node:child_process'
import { CommandRefusedError } from '../../../dev/say.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { startApp } from '../parts/app.ts'
import { buildServer, appPath } from '../parts/built.ts'
import { chatTurn } from '../parts/chat-turn.ts'
import { startSingleApp } from '../parts/single-app.ts'
import type { Peer } from '../peer.ts'
import { markLoops } from '../rows/rows.ts'

const inMemory =
  'it writes nothing before the call and does not wait for a disk: the answer is in the memory of one process'

export const aiSdk: Peer = {
  name: 'AI SDK, Redis',
  packages: ['ai', '@ai-sdk/openai-compatible', 'resumable-stream', 'redis'],
  engine: 'redis',
  setup:
    '`streamText` and `resumable-stream` in one Node process behind `http`, and Redis with its defaults; it resumes with the `skipCharacters` of the library',
  notPersisted:
    'the answer, which is in the memory of the process that generates it; Redis only relays it to clients that reconnect',
  marks: { step: 'not durable', slope: 'not durable', ...markLoops('not durable') },
  ahead: {
    firstToken: inMemory,
    delay: inMemory,
    capacity: inMemory,
    cost: inMemory,
    resume: 'the answer is still in the memory of the process',
    memory: 'no engine and no database',
  },
  prepare: async () => {
    if (spawnSync('redis-server', ['--version']).status !== 0)
      throw new CommandRefusedError('This benchmark needs redis-server: apt-get install redis-server.')
    await buildServer('ai-sdk')
  },
  start: async ({ folder, modelUrl }) => {
    const [port, redisPort] = [await freePort(), await freePort()]
    return startSingleApp(
      async (hold) => {
        hold(
          await startApp({
            name: 'redis',
            command: ['redis-server', '--port', String(redisPort), '--bind', '127.0.0.1', '--dir', folder],
            env: {},
            folder,
            port: redisPort,
          }),
        )
        const env = { PORT: String(port), MODEL_URL: modelUrl, REDIS_URL: `redis://127.0.0.1:${redisPort}` }
        return { name: 'app', command: [process.execPath, `${appPath('ai-sdk')}/server.mjs`], env, folder, port }
      },
      async (message) => chatTurn(port, message, 'characters'),
    )
  },
}
