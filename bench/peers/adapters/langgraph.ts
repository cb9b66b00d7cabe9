import { rm } from 'node:fs/promises'
import { freePort } from '../../../dev/stack/ports.ts'
import { copyApp, appPath, packagePath } from '../parts/built.ts'
import { startSingleApp } from '../parts/single-app.ts'
import type { Peer } from '../peer.ts'
import { markLoops } from '../rows/rows.ts'

const jobs = 120
const options = ['dev', '--no-browser', '--no-reload', '--host', '127.0.0.1', '-n', String(jobs), '--port']
const inMemory = 'tokens are only in memory: it does not wait for a disk'

export const langgraph: Peer = {
  name: 'LangGraph',
  packages: ['@langchain/langgraph', '@langchain/langgraph-cli', '@langchain/openai'],
  setup: `\`langgraphjs dev\`, the local server of JavaScript, without reloading, ${jobs} concurrent runs (default 10); its production server is a licensed image and was not measured`,
  notPersisted:
    'streams, which are only in memory; threads and checkpoints, until they have not changed for 3 seconds and are written to a file',
  marks: { step: 'in memory', slope: 'in memory', ...markLoops('in memory') },
  ahead: {
    firstToken: inMemory,
    delay: inMemory,
    capacity: inMemory,
    resume: 'the stream is still in the memory of the process',
    memory: 'no engine and no database',
    cost: inMemory,
  },
  prepare: async () => {
    await copyApp('langgraph')
  },
  start: async ({ folder, modelUrl }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const cwd = appPath('langgraph')
    await rm(`${cwd}/.langgraph_api`, { recursive: true, force: true })
    return startSingleApp(
      () =>
        Promise.resolve({
          name: 'app',
          command: [
            process.execPath,
            packagePath('@langchain/langgraph-cli/dist/cli/cli.mjs'),
            ...options,
            String(port),
          ],
          cwd,
          env: { MODEL_URL: modelUrl, BROWSER: 'none', LANGGRAPH_CLI_NO_ANALYTICS: '1', LOG_LEVEL: 'warn' },
          folder,
          port,
        }),
      async (message) => {
        const { thread_id: thread } = await createThread(url)
        return {
          post: {
            url: `${url}/threads/${thread}/runs/stream`,
            headers: {},
            body: {
              assistant_id: 'chat',
              input: { messages: [{ role: 'user', content: message }] },
              stream_mode: ['messages-tuple'],
              stream_resumable: true,
              on_disconnect: 'continue',
              config: { recursion_limit: 100 },
            },
          },
          resume: ({ headers, lastEventId }) => ({
            url: `${url}${headers['content-location']}/stream`,
            headers: { 'last-event-id': lastEventId },
          }),
        }
      },
    )
  },
}

async function createThread(url: string): Promise<{ thread_id: string }> {
  const response = await fetch(`${url}/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  if (!response.ok) throw new Error(`no thread: ${response.status} ${await response.text()}`)
  return (await response.json()) as { thread_id: string }
}
