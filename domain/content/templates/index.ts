import { bedroom } from './bedroom.ts'
import { editorial } from './editorial.ts'
import { outside } from './outside.ts'
import { recordStore } from './record-store.ts'
import { stage } from './stage.ts'
import type { ContentTemplate } from './template.ts'

export { captionLengths, type CaptionFont, type CaptionLength, type ContentTemplate } from './template.ts'

/** All templates; the first is the default. */
export const contentTemplates: readonly ContentTemplate[] = [bedroom, outside, stage, recordStore, editorial]

export const defaultTemplate = bedroom.name

export function isTemplate(name: string): boolean {
  return contentTemplates.some((template) => template.name === name)
}

/** Returns the template of this name, or the default template if the name is unknown. */
export function resolveTemplate(name: string): ContentTemplate {
  return contentTemplates.find((template) => template.name === name) ?? bedroom
}
