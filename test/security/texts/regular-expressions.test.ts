import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { findSuperLinear } from './super-linear.ts'

const folders = 'activities api client config db dev domain engine providers workers workflows'
const productPaths = [...folders.split(' '), 'config.ts', 'lifetime.ts', 'stack-trace.ts', 'waiting.ts']

const listFiles = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() || /\.m?ts$|\.mjs$/.test(entry.name))
        .flatMap(({ name }) => listFiles(join(path, name)))
    : [path]

type Expression = { location: string; text: string; kind: 'literal' | 'built' }

/** Lists the literal regular expressions of a file and its calls of `RegExp`. */
const listExpressions = (path: string): Expression[] => {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const expressions: Expression[] = []
  const add = (node: ts.Node, kind: Expression['kind']): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    expressions.push({ location: `${path}:${line + 1}`, text: node.getText(), kind })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) add(node, 'literal')
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
      add(node, 'built')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return expressions
}

const splitLiteral = (literal: string): [source: string, flags: string] => {
  const end = literal.lastIndexOf('/')
  return [literal.slice(1, end), literal.slice(end + 1)]
}

const allExpressions = productPaths.flatMap(listFiles).flatMap(listExpressions)

test('every regular expression of the product runs in linear time', () => {
  const literals = allExpressions.filter(({ kind }) => kind === 'literal')
  expect(literals.length).toBeGreaterThan(150)
  const slow = literals.flatMap(({ location, text }) => {
    const reason = findSuperLinear(...splitLiteral(text))
    return reason === undefined ? [] : [`${location} ${text}: ${reason}`]
  })
  expect(slow).toEqual([])
})

test('no regular expression of the product is built from text, because it could not be checked', () => {
  expect(allExpressions.filter(({ kind }) => kind === 'built')).toEqual([])
})

test('the check finds each form of a slow expression', () => {
  const slow = [
    /^(a+)+$/,
    /^\s*\w*\s*\w*\s*$/,
    /\s+$/,
    /^\s*\[submodule [^\n]*\]\s*$/m,
    /\beyJ[\w-]{8,}\.[\w-]+/,
    /<a[^]*?>/,
    /(?<=bearer +)\w/,
    /x(?:[^y]*y)*/g,
    /(?<=:)[^@]+@/,
  ]
  expect(slow.filter(({ source, flags }) => findSuperLinear(source, flags) === undefined)).toEqual([])
  const linear = [/^\s*a/, /(?<!\s)\s+$/, /(?<=:)[^@:]+@/, /<[^<>]*>/g, /^key: .*$/m, /a+/g, /\s*;\s*/y]
  expect(linear.flatMap(({ source, flags }) => findSuperLinear(source, flags) ?? [])).toEqual([])
})
