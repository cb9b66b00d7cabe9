/** Tool whose call ends the turn; the user provides its result. */
export const questionTool = 'ask_user_question'

/** Tool whose call runs a sub-agent. */
export const subAgentTool = 'task'

/** Tools that may change files of the sandbox, by themselves or through a sub-agent. A turn that used none has nothing to commit. */
export const fileTools: string[] = ['bash', 'write', subAgentTool]
