/** The tool whose call ends the turn and is answered by the user. */
export const questionTool = 'ask_user_question'

/** The tool whose call is a sub-agent. */
export const subAgentTool = 'task'
