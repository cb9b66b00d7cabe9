import { proxyActivities } from '@temporalio/workflow'

const { stamp } = proxyActivities<{ stamp(): Promise<number> }>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '5s',
})

/** Nothing but activities one after the other; answers when each began. */
export async function bare(count: number): Promise<number[]> {
  const begun: number[] = []
  for (let step = 0; step < count; step++) begun.push(await stamp())
  return begun
}
