import { describe, expect, it } from 'vitest'
import { findSkill, readSkills, skillContent } from '../../../domain/tools/skills.ts'

const file = (yaml: string, path = '/home/agent/.agents/skills/a') => ({ path, text: `---\n${yaml}\n---\nDo it.\n` })
const skillNamed = (name: string) => file(`name: ${name}\ndescription: about ${name}`, `/skills/${name}`)

describe('skills', () => {
  it('are read from their front matter', () => {
    const text = '---\r\nname: mix-down\r\ndescription: >\r\n  Mixes\r\n  stems.\r\nlicense: MIT\r\n---\r\nbody'
    expect(readSkills([{ path: '/x', text }])).toEqual([
      { name: 'mix-down', description: 'Mixes stems.', path: '/x', modelInvocationDisabled: false },
    ])
  })

  it('may be invocable only by users', () => {
    const yaml = 'name: a\ndescription: b\ndisable-model-invocation: true\nuser-invocable: false'
    expect(readSkills([file(yaml)])).toMatchObject([{ modelInvocationDisabled: true }])
  })

  it.each([
    ['no name', 'description: b'],
    ['no description', 'name: a'],
    ['an empty name', 'name: ""\ndescription: b'],
    ['a name that is a number', 'name: 12\ndescription: b'],
    ['a list as description', 'name: a\ndescription: [b]'],
    ['a flag that is not a boolean', 'name: a\ndescription: b\ndisable-model-invocation: maybe'],
    ['broken YAML', 'name: "a\ndescription: b'],
    ['an alias', 'x: &x [1]\ny: *x\nname: a\ndescription: b'],
    ['a list', '- name: a\n- description: b'],
    ['deep nesting', `name: a\ndescription: b\nx: ${'['.repeat(5000)}`],
  ])('are skipped with %s', (_, yaml) => expect(readSkills([file(yaml)])).toEqual([]))

  it.each([
    '',
    'name: a\ndescription: b',
    '# Title\n---\nname: a\ndescription: b\n---\n',
    '---\nname: a\ndescription: b\n',
  ])('are skipped without front matter: %j', (text) => expect(readSkills([{ path: '/x', text }])).toEqual([]))

  it('are skipped if their name is a client command or already used', () => {
    const files = ['model', 'Resume', 'NEW', 'mix', 'MIX', 'master'].map(skillNamed)
    expect(readSkills(files).map(({ path }) => path)).toEqual(['/skills/mix', '/skills/master'])
  })

  it('are found by name in any letter case', () => {
    const skills = readSkills([skillNamed('Mix')])
    expect(findSkill(skills, ' mIX ')).toBe(skills[0])
    expect(findSkill(skills, 'mi')).toBeUndefined()
  })

  it('are rendered with their folder, without front matter, and with all arguments replaced', () => {
    const text = '---\nname: a\ndescription: b\n---\n\nMix $ARGUMENTS, then $ARGUMENTS.\n---\nEnd\n'
    expect(skillContent('/skills/a', text, '$& "x"')).toBe(
      'Skill directory: /skills/a\n\nMix $& "x", then $& "x".\n---\nEnd\n',
    )
    expect(skillContent('/skills/a', 'plain $ARGUMENTS')).toBe('Skill directory: /skills/a\n\nplain ')
  })
})
