import { z } from 'zod'
import { firstCodePoints, text } from '../fields/fields.ts'
import { questionTool } from '../tools/turn-tools.ts'
import type { CheckInput } from '../tools/inputs.ts'
import type { MessagePart } from './message-part.ts'

const daySeconds = 86_400

const toolName = text(1, 64)
  .refine((name) => /^[\w*-]+$/.test(name), { error: 'must be the name of a tool; * matches any characters' })
  .refine((name) => name !== questionTool, { error: 'always asks the user' })
  .meta({ pattern: '^[A-Za-z0-9_*-]{1,64}$' })

/** Calls of a session or task that need approval. */
export const approvalsSchema = z
  .strictObject({
    tools: z.array(toolName).max(50).default([]),
    commands: z
      .array(text(1, 200).refine((pattern) => pattern.trim() !== '', { error: 'is blank' }))
      .max(50)
      .default([])
      .meta({ description: 'Patterns that match anywhere in a bash command; * matches any characters.' }),
    headless: z.enum(['deny', 'wait']).default('deny').meta({
      description: 'In a headless turn: deny the call immediately, or end the turn and wait for the approval.',
    }),
    waitSeconds: z
      .int()
      .min(60)
      .max(30 * daySeconds)
      .default(daySeconds)
      .meta({ description: 'With `wait`: seconds after which the call is denied and the agent continues.' }),
  })
  .refine(({ tools, commands }) => tools.length + commands.length > 0, {
    error: 'must contain a tool or a command',
    path: ['tools'],
  })
  .meta({ id: 'Approvals' })

export type Approvals = z.output<typeof approvalsSchema>

/** Combines two sets of approvals. A call needs approval if either requires it; a headless run waits only if both do. */
export function stricterApprovals(first: Approvals | null, second: Approvals | null): Approvals | null {
  if (first === null || second === null) return first ?? second
  return {
    tools: [...new Set([...first.tools, ...second.tools])],
    commands: [...new Set([...first.commands, ...second.commands])],
    headless: first.headless === 'wait' && second.headless === 'wait' ? 'wait' : 'deny',
    waitSeconds: Math.min(first.waitSeconds, second.waitSeconds),
  }
}

/** True for a call that needs a person's approval. */
export function needsApproval(
  { tools, commands }: Pick<Approvals, 'tools' | 'commands'>,
  { toolName, input }: { toolName: string; input: unknown },
): boolean {
  if (tools.some((name) => matches(name, toolName))) return true
  const command = toolName === 'bash' ? (input as { command?: unknown } | null)?.command : undefined
  return typeof command === 'string' && commands.some((pattern) => matchesAnywhere(pattern, command))
}

const deniedByPolicy = 'This call requires approval by a person, and a headless run has no user. It was not executed.'
const deniedToSubAgent =
  'This call requires approval by a person, which a sub-agent cannot request. It was not executed: leave it to the agent that gave you the task.'

/** Returns how approvals apply to the calls of a run. */
export function approvalRules(
  approvals: Approvals | null,
  { headless, subAgent = false }: { headless: boolean; subAgent?: boolean },
) {
  const requiresApproval = (toolName: string, input: unknown): boolean =>
    approvals !== null && needsApproval(approvals, { toolName, input })
  const waitsForApproval = approvals?.headless === 'wait'
  const refusal = subAgent ? deniedToSubAgent : headless && !waitsForApproval ? deniedByPolicy : undefined
  return {
    /** Wraps an input check, so that a valid call that no person can approve returns an error to the model. */
    withApprovalCheck:
      (check: CheckInput): CheckInput =>
      (toolName, input) => {
        const verdict = check(toolName, input)
        return refusal !== undefined && verdict?.ok === true && requiresApproval(toolName, verdict.input)
          ? { ok: false, error: refusal }
          : verdict
      },
    requestsApproval: ({ toolName, input }: { toolName: string; input: unknown }): boolean =>
      refusal === undefined && requiresApproval(toolName, input),
    /** Time limit for the answer, in seconds; undefined for no limit. */
    waitSeconds: headless ? approvals?.waitSeconds : undefined,
  }
}

/** Returns the requested approval with its answer in the sent parts; undefined without an answer. */
export function approvalAnswer(request: MessagePart, sentParts: readonly MessagePart[]): MessagePart | undefined {
  const { id } = readApproval(request)
  const answer = sentParts.find((part) => isApprovalAnswer(part) && readApproval(part).id === id)
  if (answer === undefined) return undefined
  const { approved, reason } = readApproval(answer)
  const shortReason = typeof reason === 'string' && reason !== '' ? firstCodePoints(reason, maxReasonLength) : undefined
  if (approved !== true) return deniedPart(request, shortReason)
  const approval = { id, approved: true, ...(shortReason !== undefined && { reason: shortReason }) }
  return { ...request, state: 'approval-responded', approval }
}

const maxReasonLength = 2000

/** Returns the part of a requested call that was denied. */
export function deniedPart(request: MessagePart, reason?: string): MessagePart {
  const { id } = readApproval(request)
  const approval = { id, approved: false, ...(reason !== undefined && { reason }) }
  return { ...request, state: 'output-denied', approval }
}

/** True for a part that answers a requested approval. */
export function isApprovalAnswer(part: MessagePart): boolean {
  const { id, approved } = readApproval(part)
  return part['state'] === 'approval-responded' && typeof id === 'string' && typeof approved === 'boolean'
}

/** True for a part of an approved call. */
export function isGranted(part: MessagePart): boolean {
  return readApproval(part).approved === true
}

export function isApprovalRequest(part: MessagePart): boolean {
  return part['state'] === 'approval-requested'
}

/** Describes a denial for the model. */
export function describeDenial(part: MessagePart): string {
  const { reason } = readApproval(part)
  return typeof reason === 'string' ? `The user denied this call: ${reason}` : 'The user denied this call'
}

function readApproval(part: MessagePart): { id?: unknown; approved?: unknown; reason?: unknown } {
  const approval = part['approval']
  return typeof approval === 'object' && approval !== null ? approval : {}
}

function matches(pattern: string, text: string): boolean {
  const pieces = pattern.split('*')
  if (pieces.length === 1) return pattern === text
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  return (
    text.length >= first.length + last.length &&
    text.startsWith(first) &&
    text.endsWith(last) &&
    containsInOrder(pieces.slice(1, -1), text.slice(first.length, text.length - last.length))
  )
}

function matchesAnywhere(pattern: string, command: string): boolean {
  return containsInOrder(collapseSpaces(pattern).split('*'), collapseSpaces(command))
}

function collapseSpaces(text: string): string {
  return text.split(/\s+/).join(' ')
}

function containsInOrder(pieces: readonly string[], text: string): boolean {
  let start = 0
  for (const piece of pieces) {
    const index = text.indexOf(piece, start)
    if (index === -1) return false
    start = index + piece.length
  }
  return true
}
