export type SystemPrompt = {
  /** Path inside the sandbox. */
  workingDirectory: string
  accountId: string
  artistId?: string | null
  skills: readonly { name: string; description: string }[]
  /** Replaces messages that are not shown. */
  summary?: string | undefined
  /** System messages of the request, in order. */
  instructions: readonly string[]
}

const grounding = `You are an assistant in a workspace for people who work in music. You act through tools.
Ground every statement about data in what you fetched in this conversation. Never invent figures, names, dates or
results; when something could not be fetched, say so.`

const platform = `Link to files of the workspace as #workspace-file=<path>, with the path relative to the working directory.
Prefer the platform skill, when it is listed, for the platform's data and actions.`

/** Builds the system prompt of a turn. The caller's instructions come last and never replace the other sections. */
export function systemPrompt(options: SystemPrompt): string {
  const { workingDirectory, accountId, artistId, skills, summary, instructions } = options
  const sections = [
    section('Grounding', [grounding]),
    section('Environment', [
      `The working directory is ${workingDirectory}. Use paths relative to it.`,
      'Commands and files live in a sandbox of this session.',
    ]),
    section('Account', [`Account id: ${accountId}`, ...(artistId ? [`Artist id: ${artistId}`] : [])]),
    section('Platform', [platform]),
    ...(skills.length > 0
      ? [
          section('Skills', [
            'Call the skill tool to load one of these before you do what it describes:',
            ...skills.map(({ name, description }) => `- ${name}: ${description}`),
          ]),
        ]
      : []),
    ...(summary === undefined ? [] : [section('Earlier in this chat', [summary])]),
    ...(instructions.length > 0 ? [section('Instructions of the caller', instructions)] : []),
  ]
  return sections.join('\n\n')
}

function section(title: string, lines: readonly string[]): string {
  return [`# ${title}`, ...lines].join('\n')
}
