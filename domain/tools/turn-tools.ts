/** Tool whose call ends the turn; the user provides its result. */
export const questionTool = 'ask_user_question'

/** Tool whose call runs a sub-agent. */
export const subAgentTool = 'task'
