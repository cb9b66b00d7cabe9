import type { Records } from '../../records/records.ts'
import { lossTokens, printFiles } from '../records/losses.ts'
import { drop, type Mutation } from './mutate.ts'

const { pushed, unpushed, first, second, last, uncommitted, after } = lossTokens

/** Returns the value with every string that equals `from` replaced, including strings in the JSON of frames. */
const replaceText = (value: unknown, from: string, to: string): unknown => {
  if (value === from) return to
  if (typeof value === 'string' && value.startsWith('{'))
    return JSON.stringify(replaceText(JSON.parse(value), from, to))
  if (Array.isArray(value)) return value.map((item) => replaceText(item, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceText(member, from, to)]))
}

type Files = [workingTree: string[], home: string[]]

/** Replaces the printed files of a command in the log, its readings and the stored message. */
const replacePrintedFiles = (records: Records, before: Files, after: Files): void =>
  void Object.assign(records, replaceText(records, printFiles(...before), printFiles(...after)))

const lossPattern = (epoch: number): RegExp => new RegExp(`"data-sandbox-loss".*"epoch":${epoch}`)

/** Removes the announcement of a loss. Returns the run and the frame. */
const removeLoss = (records: Records, epoch: number): { runId: string; body: string } => {
  const { frames, messages } = records.store
  const frameIndex = frames.findIndex(({ body }) => lossPattern(epoch).test(body))
  const [{ runId, seq, body }] = frames.splice(frameIndex, 1) as [Records['store']['frames'][number]]
  for (const frame of frames) if (frame.runId === runId && frame.seq > seq) frame.seq--
  for (const message of messages)
    message.parts = message.parts.filter((part) => !lossPattern(epoch).test(JSON.stringify(part)))
  return { runId, body }
}

const findCheckpointAt = ({ store }: Records): string =>
  store.frames.flatMap(({ body }) => /"checkpoint":\{"at":"([^"]+)"/.exec(body)?.[1] ?? [])[0]!

const announceLater = (records: Records, epoch: number): void => {
  const { runId, body } = removeLoss(records, epoch)
  const { frames, messages } = records.store
  const frameIndex =
    frames.findIndex((frame) => frame.runId === runId && frame.body.includes('"tool-output-available"')) + 1
  const { seq } = frames[frameIndex]!
  for (const frame of frames) if (frame.runId === runId && frame.seq >= seq) frame.seq++
  frames.splice(frameIndex, 0, { runId, seq, body })
  const message = messages.find(({ metadata }) => metadata?.['runId'] === runId)
  const position = (message?.parts.findIndex(({ type }) => type === 'tool-bash') ?? 0) + 1
  message?.parts.splice(position, 0, JSON.parse(body) as Record<string, unknown>)
}

const afterFirst: Files = [[pushed, first], [first]]
const afterSecond: Files = [
  [pushed, first, second],
  [first, second],
]
const afterLast: Files = [
  [pushed, first, second, last],
  [first, second, last],
]

/** Changes of the records that violate G19, the guarantee about the files of sandboxes. */
export const fileMutations: Mutation[] = [
  [
    'G19',
    'a command sees an old working tree without a loss',
    (r) => replacePrintedFiles(r, afterSecond, [[pushed, second], afterSecond[1]]),
  ],
  [
    'G19',
    'a command sees an old home folder without a loss',
    (r) => replacePrintedFiles(r, afterSecond, [afterSecond[0], [second]]),
  ],
  [
    'G19',
    'a command sees the files of an old machine that returned',
    (r) =>
      replacePrintedFiles(r, afterSecond, [
        [pushed, unpushed, second],
        [pushed, unpushed, second],
      ]),
  ],
  [
    'G19',
    'the working tree is older than the commit of the loss',
    (r) => replacePrintedFiles(r, afterFirst, [[first], [first]]),
  ],
  [
    'G19',
    'the home folder is older than the checkpoint of the loss',
    (r) => replacePrintedFiles(r, afterLast, [afterLast[0], [first, last]]),
  ],
  [
    'G19',
    'a loss includes all steps although the object store was available',
    (r) => drop(r.faults, ({ kind }) => kind === 'store'),
  ],
  [
    'G19',
    'the restored checkpoint lacks two steps',
    (r) => {
      Object.assign(r, replaceText(r, findCheckpointAt(r), new Date(0).toISOString()))
      replacePrintedFiles(r, afterLast, [[pushed, last], [last]])
    },
  ],
  ['G19', 'a loss is not announced', (r) => void removeLoss(r, 2)],
  [
    'G19',
    'the newest loss is not announced, although no effect is missing',
    (r) => {
      removeLoss(r, 4)
      const all = [pushed, first, second, last, uncommitted, after]
      replacePrintedFiles(r, [[pushed, after], [after]], [all, all.slice(1)])
    },
  ],
  ['G19', 'a loss is announced after the output of the first command', (r) => announceLater(r, 2)],
]
