import { findTool, offerTools } from '../../activities/tools/index.ts'
import type { SandboxContext, WorkerContext } from '../../activities/tools/define.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'

const { checkInput } = offerTools({ isSubAgent: false, headless: false, hasSkills: true })

/** Parses the input and applies the schema's defaults. Throws if it is invalid. */
export function requireInput(name: string, input: object): unknown {
  const checked = checkInput(name, input)
  if (checked?.ok !== true) throw new Error(checked?.error ?? `no tool ${name}`)
  return checked.input
}

let calls = 0

export async function runInSandbox(
  sandbox: Sandbox,
  name: string,
  input: object,
  ctx: Partial<SandboxContext> = {},
): Promise<object> {
  const tool = findTool(name)
  if (tool?.runsIn !== 'sandbox') throw new Error(`${name} runs in the ${tool?.runsIn}`)
  const signal = new AbortController().signal
  return tool.run(requireInput(name, input), { signal, receipt: `call-${calls++}`, environment: {}, ...ctx }, sandbox)
}

export async function runInWorker(name: string, input: object, ctx: WorkerContext): Promise<object> {
  const tool = findTool(name)
  if (tool?.runsIn !== 'worker') throw new Error(`${name} runs in the ${tool?.runsIn}`)
  return tool.run(requireInput(name, input), ctx)
}
