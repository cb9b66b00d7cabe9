import type { Entry } from '../content/entry.ts'
import { finishSlices } from '../slices.ts'
import { createPublicContent, type PublicContent } from '../public-content.ts'
import type { Digest } from '../search/cursor.ts'
import { runTool, type tools } from '../tools/index.ts'

type Json = Record<string, unknown>

/** Example arguments of each tool. */
export const toolExamples: Record<keyof typeof tools, Json> = {
  search_service: { query: 'catalog valuation', limit: 3 },
  read_service_page: { id: 'docs:catalog-valuation', maxLength: 500 },
  estimate_workflow_roi: {
    monthlyHours: 100,
    hourlyCost: 60,
    timeReduction: 40,
    monthlySystemCost: 500,
    setupCost: 6000,
  },
  assess_workflow_readiness: {
    answers: {
      workflow: 'Reporting and finance',
      frequency: 'Every month',
      information: 'Across several tools and files',
      access: 'Yes, with the permissions we need',
      method: 'Yes, the steps are documented',
      owner: 'We have someone in mind',
      ai: 'We are getting started',
    },
  },
  prepare_project_brief: {
    workflow: 'Monthly royalty report from three portals',
    desiredOutcome: 'One checked sheet by the 5th',
  },
}

/** Returns example responses of the tools for one sample document. */
export function responseExamples(siteUrl: string, digest: Digest): Record<string, object> {
  const content = exampleContent(siteUrl, digest)
  return Object.fromEntries(
    Object.entries(toolExamples).map(([name, input]) => [name, runTool(content, { name, arguments: input })]),
  )
}

function exampleContent(siteUrl: string, digest: Digest): PublicContent {
  const description = 'What a low, mid and high value of a catalog mean and how they follow from plays.'
  const url = `${siteUrl}/docs/catalog-valuation`
  const plain = `${description} A catalog value is a band: low, mid and high.`
  const entry: Entry = {
    header: {
      id: 'docs:catalog-valuation',
      type: 'docs',
      title: 'How catalog valuation works',
      description,
      url,
      representation: 'full',
    },
    markdown: `# How catalog valuation works\n\nSource: <${url}>\n\n${plain}`,
    keywords: '',
    headings: '',
    plain,
  }
  return finishSlices(createPublicContent([entry], { serviceName: '', contentVersion: '3f9a1c0b7e24', digest }))
}
