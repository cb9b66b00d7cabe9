import { z } from 'zod'
import { listedRunSchema } from '../../domain/runs/listed-run.ts'
import { timelineSchema } from '../../domain/runs/timeline.ts'
import type { Sent, TestAccount, World } from '../world/world.ts'

const listSchema = z.strictObject({ runs: z.array(listedRunSchema.strict()), next_cursor: z.string().nullable() })

/** Creates a client that lists runs and reads their timelines. */
export const createRunsApi = (world: () => World) => {
  const list = async (account: TestAccount, query: Record<string, string> = {}, sent: Sent = {}) => {
    const path = `/api/runs?${new URLSearchParams(query).toString()}`
    const response = await world().request('GET', path, { key: account.key, ...sent })
    if (response.status !== 200) throw new Error(`refused: ${response.status} ${response.text}`)
    return listSchema.parse(response.body)
  }
  const timeline = async (account: TestAccount, runId: string) => {
    const response = await world().request('GET', `/api/runs/${runId}/timeline`, { key: account.key })
    if (response.status !== 200) throw new Error(`refused: ${response.status} ${response.text}`)
    return timelineSchema.strict().parse(response.body)
  }
  return { list, timeline }
}
