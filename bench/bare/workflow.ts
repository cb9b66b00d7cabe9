import { proxyActivities, workflowInfo } from '@temporalio/workflow'

const { stamp, step } = proxyActivities<{ stamp(): Promise<number>; step(run: string): Promise<number> }>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '5s',
})

/**
 * Runs empty activities or bare steps one after the other. Returns the time at which each activity started, or at which
 * the model responded to each step.
 */
export async function bare(count: number, steps = false): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) times.push(await (steps ? step(workflowInfo().workflowId) : stamp()))
  return times
}
