import { Readable } from 'node:stream'
import type { RefRefusal } from '../../../domain/repositories/stored.ts'
import { buildReport, type PushStart } from '../local/push-commands.ts'

/** Result of storing a push: the refs that were refused, or an error. */
type StorePush = () => Promise<Map<string, RefRefusal>>

type PushOptions = {
  push: PushStart
  /** Object that a ref had when git started. */
  readRef: (ref: string) => string | undefined
  storePush: StorePush
  explainFailure: (error: unknown) => string
}

const reasons: Record<RefRefusal, string> = {
  moved: 'non-fast-forward',
  'name-conflict': 'conflicts with the name of another branch or tag',
  full: 'the repository is full',
  'too-many-refs': 'the repository has too many branches and tags',
  atomic: 'atomic push failed',
}

const lengthDigits = 4
const reportBand = 1

/**
 * Returns git's output for a push, with a report of the refs in the stored repository. Git's own report is withheld until
 * the push is stored. Progress and keep-alive packets are forwarded immediately.
 */
export function completePushOutput(output: Readable, options: PushOptions): Readable {
  return Readable.from(streamCompleted(output, options), { objectMode: false })
}

async function* streamCompleted(output: Readable, options: PushOptions): AsyncGenerator<Buffer> {
  const { capabilities, commands } = options.push
  const reportChunks: Buffer[] = []
  if (capabilities.includes('side-band-64k'))
    for await (const packet of readPackets(output)) {
      const band = packet[lengthDigits]
      if (band === reportBand) reportChunks.push(packet.subarray(lengthDigits + 1))
      if (band !== undefined && (band !== reportBand || packet.length === lengthDigits + 1)) yield packet
    }
  else for await (const chunk of output as AsyncIterable<Buffer>) reportChunks.push(chunk)
  if (commands.length === 0) {
    yield* reportChunks
    return
  }
  const lines: string[] = []
  for await (const packet of readPackets(reportChunks)) lines.push(packet.subarray(lengthDigits).toString())
  const reportsStatus = capabilities.some((name) => name === 'report-status' || name === 'report-status-v2')
  if (reportsStatus && !lines.some((line) => line.startsWith('unpack '))) throw new Error('git ended without a report')
  const correctedLines = await storeAndCorrect(lines, options)
  if (reportsStatus) yield buildReport(correctedLines, capabilities)
}

/** Stores the push and corrects the lines of refs whose change was refused. */
async function storeAndCorrect(
  lines: string[],
  { push, readRef, storePush, explainFailure }: PushOptions,
): Promise<string[]> {
  const stale = new Set(push.commands.filter(({ ref, from }) => (readRef(ref) ?? null) !== from).map(({ ref }) => ref))
  const explain = await storePush().then(
    (refused) => (ref: string) => {
      const reason = refused.get(ref)
      return reason && reasons[reason]
    },
    (error: unknown) => {
      const failure = explainFailure(error)
      return () => failure
    },
  )
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [, kind = '', ref = ''] = /^(ok|ng) (\S+)/.exec(line) ?? []
      if (kind === 'ng' && stale.has(ref)) return `ng ${ref} ${reasons.moved}\n`
      const refusal = kind === 'ok' ? explain(ref) : undefined
      return refusal === undefined ? line : `ng ${ref} ${refusal}\n`
    })
}

/** Splits a stream of packet lines. A flush packet has no content. */
async function* readPackets(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= lengthDigits) {
      const length = Math.max(lengthDigits, Number.parseInt(rest.toString('latin1', 0, lengthDigits), 16) || 0)
      if (rest.length < length) break
      yield rest.subarray(0, length)
      rest = rest.subarray(length)
    }
  }
}
