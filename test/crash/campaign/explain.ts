import { connectClient } from '../../../engine/connect.ts'
import type { Cluster } from '../cluster/cluster.ts'

type Event = { eventTime?: { seconds?: unknown; nanos?: number | null } | null }

const formatTime = ({ eventTime }: Event): string =>
  new Date(Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6).toISOString().slice(11, 23)

const maxLineLength = 300

/** Describes an event without its payloads. */
const describe = (event: Event): string => {
  const [name, members] =
    Object.entries(event).find(([key, value]) => key.endsWith('Attributes') && value !== null) ?? []
  const omittedFields = new Set([
    'data',
    'metadata',
    'workerVersion',
    'sdkMetadata',
    'meteringMetadata',
    'stackTrace',
    'header',
  ])
  const text = JSON.stringify(members, (key, value: unknown) => (omittedFields.has(key) ? undefined : value)) ?? ''
  return `${formatTime(event)} ${name?.replace('EventAttributes', '') ?? 'event'} ${text.slice(0, maxLineLength)}`
}

const listHistory = async ({ temporalAddress, namespace }: Cluster, runId: string): Promise<string[]> => {
  const engine = await connectClient({ address: temporalAddress, namespace, tls: false })
  try {
    const { events } = await engine.client.workflow.getHandle(runId).fetchHistory()
    return (events ?? []).map(describe)
  } catch (error) {
    return [`no history: ${String(error)}`]
  } finally {
    await engine.close()
  }
}

/** Returns the workflow history of a run and the log lines of all parts that mention the run. */
export const explainRun = async (cluster: Cluster, runId: string): Promise<string[]> => {
  const outputs = await Promise.all([...cluster.workers(), ...cluster.apis()].map((part) => cluster.output(part)))
  const lines = outputs.flatMap((output) => output.split('\n')).filter((line) => line.includes(runId))
  return [...(await listHistory(cluster, runId)), ...lines.map((line) => line.slice(0, 3 * maxLineLength))]
}

/** Returns the ids of the runs that a text contains. */
export const findRunIds = (text: string): string[] => [...new Set(text.match(/wrun_[0-9A-Z]{26}/g))]
