import { CommandRefusedError, print } from '../dev/say.ts'
import { authenticated } from './requests/authenticated.ts'
import { captures } from './runs/capture.ts'
import { catalogs } from './requests/catalogs.ts'
import { consolePage } from './browser/console.ts'
import { connections } from './requests/connections.ts'
import { fairness } from './runs/fairness.ts'
import { fleet } from './runs/fleet.ts'
import { growth } from './runs/growth.ts'
import { members } from './runs/members.ts'
import { ledger } from './requests/ledger.ts'
import type { Bench, Row } from './measure.ts'
import { recovery } from './runs/recovery.ts'
import { describeMachine, printRows, writeReport, type BenchRows } from './report.ts'
import { relay } from './runs/relay.ts'
import { renders } from './runs/renders.ts'
import { resume } from './requests/resume.ts'
import { router } from './requests/router.ts'
import { site } from './browser/site.ts'
import { sandbox } from './runs/sandbox.ts'
import { schedules } from './runs/schedules.ts'
import { search } from './requests/search.ts'
import { startStack } from './stack/stack.ts'
import { start } from './runs/start.ts'
import { step } from './runs/step.ts'
import { throughput } from './runs/throughput.ts'
import { turns } from './runs/turns/turns.ts'

const benches: Bench[] = [
  relay,
  throughput,
  turns,
  start,
  step,
  recovery,
  resume,
  connections,
  authenticated,
  router,
  fairness,
  growth,
  members,
  fleet,
  sandbox,
  ledger,
  catalogs,
  captures,
  renders,
  search,
  schedules,
  site,
  consolePage,
]

type BenchResult = { rows: Row[]; machine: string }

/** `npm run bench [-- names] [--quick]`: prints the tables and, without `--quick`, writes them to docs/change/bench.md. */
export async function main(args: string[]): Promise<void> {
  const quick = args.includes('--quick')
  const names = args.filter((arg) => !arg.startsWith('-'))
  const unknown = names.filter((name) => benches.every((bench) => bench.name !== name))
  if (unknown.length > 0)
    throw new CommandRefusedError(
      `Unknown benchmark: ${unknown.join(', ')}. Choose from ${benches.map(({ name }) => name).join(', ')}.`,
    )
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const selected = names.length === 0 ? benches : benches.filter(({ name }) => names.includes(name))
  const results: BenchRows[] = []
  let machine = ''
  for (const bench of selected) {
    const result = await runBench(bench, quick, stop.signal)
    machine = result.machine
    results.push({ bench: bench.name, rows: result.rows })
    printRows(bench.name, result.rows, print)
  }
  if (quick) print('This was a quick run: docs/change/bench.md is unchanged.')
  else
    await writeReport(
      results,
      benches.map(({ name }) => name),
      machine,
    )
  process.exit()
}

async function runBench(bench: Bench, quick: boolean, stopSignal: AbortSignal): Promise<BenchResult> {
  print(`${bench.name}: starting Postgres, Temporal, the worker and the API …`)
  const { stack, close } = await startStack(print, bench.settings)
  const stopRequest = new Promise<never>((_, reject) => {
    stopSignal.addEventListener('abort', () => reject(new CommandRefusedError('Stopped.')))
  })
  try {
    const rows = await Promise.race([bench.run(stack, { quick }), stopRequest])
    return { rows, machine: await describeMachine(stack.db) }
  } finally {
    await close()
  }
}
