import { proxyActivities, workflowInfo } from '@temporalio/workflow'

const { stamp, step } = proxyActivities<{ stamp(): Promise<number>; step(run: string): Promise<number> }>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '5s',
})

/**
 * Activities one after the other, empty ones or bare steps; returns when each empty one began, or when the model had
 * responded.
 */
export async function bare(count: number, steps = false): Promise<number[]> {
  const moments: number[] = []
  for (let index = 0; index < count; index++) moments.push(await (steps ? step(workflowInfo().workflowId) : stamp()))
  return moments
}
