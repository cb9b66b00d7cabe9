import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Rules that depend on colors. The dark scheme is checked only against them, because it changes no other result. */
const colorRules = ['color-contrast', 'link-in-text-block']
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Lists the violations of accessibility rules on a page, with their elements. */
export const listAccessibilityFaults = async (page: Page, scheme: 'light' | 'dark' = 'light'): Promise<unknown[]> => {
  // The pages have no frames. For frames, axe would open another page and load its script there as well.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (scheme === 'dark' ? builder.withRules(colorRules) : builder.withTags(tags)).analyze()
  return violations.map(({ id, nodes }) => [
    id,
    nodes.map(({ html, target }) => [target.join(' '), html.slice(0, 200)]),
  ])
}
