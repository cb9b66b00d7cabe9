import { parse } from 'yaml'
import { z } from 'zod'

/** A skill of a sandbox, from the front matter of its SKILL.md. */
export type Skill = {
  name: string
  description: string
  /** The skill's folder as seen by commands inside the sandbox. */
  path: string
  /** True if only a user may load the skill. */
  modelInvocationDisabled: boolean
}

const line = z
  .string()
  .trim()
  .min(1)
  .transform((text) => text.replaceAll(/\s+/g, ' '))
const frontMatter = z.object({
  name: line.pipe(z.string().max(100)),
  description: line.pipe(z.string().max(2000)),
  'disable-model-invocation': z.boolean().default(false),
  'user-invocable': z.boolean().default(true),
})

/** Names that clients use for their own commands. */
const reservedNames = new Set(['model', 'resume', 'new'])

const frontMatterPattern = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/

/** Limits of front matter, because the YAML parser compares each key and alias with all earlier keys and aliases. */
const maxCharacters = 8000
const maxBrackets = 64
const maxExplicitKeys = 8
const maxListsInLine = 16
const brackets = /[[{]/g
const explicitKeys = /(?<![^\s[{,])\?(?!\S)/g
const listMarker = /(?<!\S)-(?!\S)/g

/** Reads skills from the starts of their files, in order. Of several skills with the same name, the first is used. */
export function readSkills(files: readonly { path: string; text: string }[]): Skill[] {
  const usedNames = new Set(reservedNames)
  return files.flatMap(({ path, text }) => {
    const parsed = readFrontMatter(text)
    if (parsed === undefined || usedNames.has(parsed.name.toLowerCase())) return []
    usedNames.add(parsed.name.toLowerCase())
    const { name, description, 'disable-model-invocation': modelInvocationDisabled } = parsed
    return [{ name, description, path, modelInvocationDisabled }]
  })
}

export function findSkill(skills: readonly Skill[], name: string): Skill | undefined {
  return skills.find((skill) => skill.name.toLowerCase() === name.trim().toLowerCase())
}

/** Returns a skill's text for the model: its folder, an empty line, and the instructions with the arguments inserted. */
export function skillContent(path: string, text: string, args = ''): string {
  const body = splitFrontMatter(text)?.body ?? text
  return `Skill directory: ${path}\n\n${body.replace(/^\s*\n/, '').replaceAll('$ARGUMENTS', () => args)}`
}

function readFrontMatter(text: string): z.output<typeof frontMatter> | undefined {
  const { yaml = '' } = splitFrontMatter(text) ?? {}
  if (!isReadable(yaml)) return undefined
  try {
    // Aliases are rejected, because a few lines of them expand to gigabytes.
    const parsed = frontMatter.safeParse(parse(yaml, { maxAliasCount: 0, prettyErrors: false, logLevel: 'error' }))
    return parsed.data
  } catch {
    return undefined
  }
}

function splitFrontMatter(text: string): { yaml: string; body: string } | undefined {
  const parsed = frontMatterPattern.exec(text)
  return parsed === null ? undefined : { yaml: parsed.groups?.['yaml'] ?? '', body: text.slice(parsed[0].length) }
}

/** Returns whether the YAML has bounded nesting. A parser takes minutes for a few hundred nested explicit keys. */
function isReadable(yaml: string): boolean {
  return (
    yaml.length <= maxCharacters &&
    count(yaml, brackets) <= maxBrackets &&
    count(yaml, explicitKeys) <= maxExplicitKeys &&
    yaml.split('\n').every((line) => count(line, listMarker) <= maxListsInLine)
  )
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
