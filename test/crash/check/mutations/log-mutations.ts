import { duplicateFrame, loseFrame } from '../damage.ts'
import { goodRuns } from './good-records.ts'
import { listReadings, rewriteLog, type Mutation } from './mutate.ts'

const { retried, plain, failed, requesting } = goodRuns

const frames: Mutation[] = [
  ['G3', 'a reading lacks a frame', (r) => listReadings(r, plain)[0]!.frames.splice(2, 1)],
  ['G3', 'a reading contains a frame twice', (r) => duplicateFrame(r)],
  ['G3', 'a resumed reading begins one frame late', (r) => listReadings(r, plain)[2]!.frames.shift()],
  [
    'G3',
    'a frame has other bytes in one reading',
    (r) => {
      const frame = listReadings(r, plain)[0]!.frames[2]!
      frame.body = frame.body.replace('{', '{ ')
    },
  ],
  ['G3', 'the store lacks frames of a run', (r) => loseFrame(r)],
  ['G3', 'the times of a reading decrease', (r) => (listReadings(r, plain)[0]!.frames[3]!.at -= 1000)],
]

const closings: Mutation[] = [
  ['G4', 'a log ends without finish', (r) => rewriteLog(r, plain, (bodies) => bodies.slice(0, -1))],
  ['G4', 'a log has two finishes', (r) => rewriteLog(r, plain, (bodies) => [...bodies, bodies.at(-1)!])],
  ['G4', 'a log has two starts', (r) => rewriteLog(r, plain, (bodies) => [bodies[0]!, ...bodies])],
  [
    'G4',
    'a frame follows finish',
    (r) => rewriteLog(r, plain, (bodies) => [...bodies, '{"type":"message-metadata","messageMetadata":{}}']),
  ],
  [
    'G4',
    'an attempt continues to write after its retraction',
    (r) =>
      rewriteLog(r, retried, (bodies) => [
        ...bodies.slice(0, -1),
        '{"type":"text-delta","id":"txt_0_1_0","delta":""}',
        bodies.at(-1)!,
      ]),
  ],
  [
    'G4',
    'a retraction covers only part of an attempt',
    (r) =>
      rewriteLog(r, retried, (bodies) =>
        bodies.map((body) => body.replace(/"toIndex":(\d+)/, (_, index) => `"toIndex":${Number(index) - 1}`)),
      ),
  ],
  ['G4', 'a finished reading has no [DONE]', (r) => (listReadings(r, plain)[0]!.end = 'cut')],
  [
    'G4',
    'a part is left open',
    (r) => rewriteLog(r, plain, (bodies) => bodies.filter((body) => !body.includes('"text-end"'))),
  ],
  [
    'G4',
    'a call stays open without a request for approval',
    (r) => rewriteLog(r, requesting, (bodies) => bodies.filter((body) => !body.includes('"tool-approval-request"'))),
  ],
  [
    'G4',
    'finish reports a different end than the run',
    (r) => rewriteLog(r, plain, (bodies) => bodies.map((body) => body.replace('"natural"', '"step_limit"'))),
  ],
  [
    'G4',
    'an exception text is shown as the error',
    (r) => rewriteLog(r, failed, (bodies) => bodies.map((body) => body.replace('The model call failed', 'ECONNRESET'))),
  ],
]

/** Changes of logs and of what clients read of them. */
export const logMutations: Mutation[] = [...frames, ...closings]
