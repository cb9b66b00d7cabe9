import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { print } from '../dev/say.ts'
import type { Recording } from '../domain/site/figures.ts'
import { describeHardware } from './report.ts'
import { findHolder, kill, poll, startWorker } from './runs/recovery.ts'
import { startStack, type OpenChat, type Stack } from './stack/stack.ts'
import { sendTurn } from './stack/turn.ts'

const path = fileURLToPath(new URL('../content/figures/recording.json', import.meta.url))
const question = 'Which songs of the catalog matter most?'
const answer =
  'Three of the 42 songs earn most of the plays: Harbor Lights, Paper Moon and Slow Train. Together they have 61 percent of them. Check the rights of these three first.'
/** Number of words before the kill. The other worker generates the rest of the answer. */
const wordsBeforeKill = 14
/** The site replays the recording at this speed, which takes about five seconds. */
const wordsPerSecond = 14

/** `npm run bench:recording`: records an answer whose worker is killed, for the home page of the site. */
export async function main(): Promise<void> {
  const { stack, close } = await startStack(print, {
    // The site needs the recording, which does not exist yet.
    SITE: 'off',
    DEFAULT_MODEL: 'local/assistant',
    LOCAL_MODEL_WORDS_PER_SECOND: String(wordsPerSecond),
  })
  try {
    const recording = await record(stack)
    await writeFile(path, `${JSON.stringify(recording, undefined, 2)}\n`)
    print(`Recorded ${recording.words.length} words in ${recording.endedMs} ms: content/figures/recording.json.`)
  } finally {
    await close()
  }
  process.exit()
}

async function record(stack: Stack): Promise<Recording> {
  const [chat] = await stack.openChats(1)
  if (chat === undefined) throw new Error('no chat')
  await stack.parts.worker.stop()
  const workers = [await startWorker(stack), await startWorker(stack)]
  // The first turn of a process also loads its modules.
  await sendTurn(stack.baseUrl, chat, '@say Ready.', () => {})
  const begin = performance.now()
  const now = (): number => Math.round(performance.now() - begin)
  const words: Recording['words'] = []
  const turn = readWords(stack, chat, (text, attempt) => words.push({ text, atMs: now(), attempt }))
  await poll('words of the answer', async () => (words.length >= wordsBeforeKill ? true : undefined))
  const holder = await findHolder(stack, chat)
  const worker = workers.find(({ processId }) => processId === holder)
  if (worker === undefined) throw new Error(`the log's writer is not one of the workers: ${holder}`)
  const killedMs = now()
  await kill(worker.part)
  await turn
  return { recordedOn: describeHardware(), question, killedMs, endedMs: now(), words }
}

/** Reads the words of a turn from its stream. `attempt` is 2 after the retraction. */
async function readWords(stack: Stack, chat: OpenChat, onWord: (text: string, attempt: 1 | 2) => void): Promise<void> {
  let rest = ''
  let attempt: 1 | 2 = 1
  await sendTurn(stack.baseUrl, chat, `@say ${answer}`, (text) => {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (\{.*\})$/m.exec(event)?.[1]
      if (data === undefined) continue
      const frame = JSON.parse(data) as { type: string; delta?: string }
      if (frame.type === 'data-retract') attempt = 2
      for (const word of frame.type === 'text-delta' ? (frame.delta ?? '').trim().split(/\s+/) : [])
        if (word !== '') onWord(word, attempt)
    }
  })
}
