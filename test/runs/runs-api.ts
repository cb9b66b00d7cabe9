import { z } from 'zod'
import { listedRunSchema } from '../../domain/runs/listed-run.ts'
import { timelineSchema } from '../../domain/runs/timeline.ts'
import type { Sent, TestAccount, World } from '../world/world.ts'

const listSchema = z.strictObject({ runs: z.array(listedRunSchema.strict()), next_cursor: z.string().nullable() })

/** A client that lists runs and reads their timelines. */
export const createRunsApi = (world: () => World) => {
  const list = async (account: TestAccount, query: Record<string, string> = {}, sent: Sent = {}) => {
    const path = `/api/runs?${new URLSearchParams(query).toString()}`
    const answer = await world().request('GET', path, { key: account.key, ...sent })
    if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.text}`)
    return listSchema.parse(answer.body)
  }
  const timeline = async (account: TestAccount, runId: string) => {
    const answer = await world().request('GET', `/api/runs/${runId}/timeline`, { key: account.key })
    if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.text}`)
    return timelineSchema.strict().parse(answer.body)
  }
  return { list, timeline }
}
