import { ChatOpenAI } from '@langchain/openai'
import { ToolMessage, type AIMessage } from '@langchain/core/messages'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'

type State = typeof MessagesAnnotation.State

const model = new ChatOpenAI({
  model: 'default',
  apiKey: 'none',
  streaming: true,
  maxRetries: 0,
  configuration: { baseURL: process.env['MODEL_URL'] },
})

async function callModel({ messages }: State): Promise<Partial<State>> {
  const calls = (messages.at(-1) as AIMessage).tool_calls ?? []
  const results = calls.map(({ id = '' }) => new ToolMessage({ tool_call_id: id, content: 'done' }))
  return { messages: [...results, await model.invoke([...messages, ...results])] }
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', callModel)
  .addEdge(START, 'model')
  .addConditionalEdges('model', ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? 'model' : END))
  .compile()
