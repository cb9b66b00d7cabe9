import type { z } from 'zod'
import type { Skill } from '../../domain/tools/skills.ts'
import type { EgressPort } from '../../providers/egress/index.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import type { NetworkAccess } from '../../providers/sandbox/network/access.ts'

/** Agent for which a model call is made. */
export type Agent = { isSubAgent: boolean; headless: boolean; hasSkills: boolean }

/** Context of a call that runs in the sandbox. */
export type SandboxContext = {
  signal: AbortSignal
  /** Name under which the sandbox stores the result of an effect. */
  receipt: string
  /** Environment of commands. */
  environment: Record<string, string>
  /** Network access of commands. If absent, they have none. */
  network?: NetworkAccess
  /** Returns the skills that were installed at the start of the turn. */
  skills?: () => Promise<Skill[]>
}

/** Context of a call that runs in the worker. */
export type WorkerContext = {
  signal: AbortSignal
  runId: string
  toolCallId: string
  egress: EgressPort
  /** Public URL of the platform. */
  baseUrl: string
  /**
   * Returns the headers that authenticate the run at a path of the platform, or undefined for a path without access. Only
   * the platform's origin receives them.
   */
  platformHeaders?: ((path: string) => Promise<Record<string, string> | undefined>) | undefined
}

type Declaration<Name, Schema> = {
  name: Name
  /** Purpose of the tool, for the model. */
  description: string
  input: Schema
  offeredTo: (agent: Agent) => boolean
}

/**
 * Where a call runs. `run` returns a failure of the tool as `{success: false, error}`; an exception means that the
 * sandbox or worker failed and that a retry may help. `turn`: the turn loop handles the call, as a sub-agent or a question.
 */
type Execution<Input> =
  | {
      runsIn: 'sandbox'
      mayRepeat: boolean | ((input: Input) => boolean)
      /** Whether a call may change files of the sandbox. */
      changesFiles?: true
      run: (input: Input, ctx: SandboxContext, sandbox: Sandbox) => Promise<object>
      /**
       * Returns the result that an earlier attempt stored under its receipt; undefined when the outcome is unknown. The
       * receipt is deleted after the output is stored.
       */
      recall?: (sandbox: Sandbox, receipt: string) => Promise<object | undefined>
    }
  | {
      runsIn: 'worker'
      /** Whether a call may run again when the outcome of its first run is unknown. */
      mayRepeat: boolean | ((input: Input) => boolean)
      run: (input: Input, ctx: WorkerContext) => Promise<object>
    }
  | { runsIn: 'turn'; mayRepeat: true }

export type Tool<Name extends string = string> = Declaration<Name, z.ZodType> & Execution<unknown>

/** Declares a tool. `run` and `mayRepeat` receive an input that has passed the schema. */
export function defineTool<const Name extends string, Schema extends z.ZodType>(
  tool: Declaration<Name, Schema> & Execution<z.output<Schema>>,
): Tool<Name> {
  return tool as Tool<Name>
}
