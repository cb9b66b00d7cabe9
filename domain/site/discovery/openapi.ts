import type { oas31 } from 'zod-openapi'
import { ReadInput, SearchInput } from '../public-content.ts'
import type { Digest } from '../search/cursor.ts'
import { tools } from '../tools/index.ts'
import { access, toolsVersion, type About } from './about.ts'
import {
  failures,
  headers,
  buildParameters,
  reference,
  requestId,
  requestIdParameter,
  resultNames,
  schemas,
  success,
  toolBody,
  versionHeaders,
} from './openapi-parts.ts'
import { responseExamples, toolExamples } from './tool-examples.ts'

const tag = 'website-tools'
/** Builds the OpenAPI 3.1 document of the three routes from their request schemas. The examples are responses of the tools. */
export function toolsDocument(
  { serviceName, siteUrl, contact }: Pick<About, 'serviceName' | 'siteUrl' | 'contact'>,
  digest: Digest,
): oas31.OpenAPIObject {
  const examples = responseExamples(siteUrl, digest)
  return {
    openapi: '3.1.0',
    info: {
      title: `${serviceName} website tools`,
      version: toolsVersion,
      description: `Search and read the public site, and three calculators. ${access}`,
      contact: { email: contact },
      termsOfService: `${siteUrl}/terms`,
    },
    externalDocs: { url: `${siteUrl}/agents` },
    servers: [{ url: siteUrl }],
    security: [],
    tags: [{ name: tag, description: access }],
    paths: {
      '/agent-api/v1/search': {
        get: {
          operationId: 'search_service',
          tags: [tag],
          summary: tools.search_service.title,
          description: tools.search_service.description,
          parameters: [...buildParameters(SearchInput, toolExamples.search_service), requestId],
          responses: { '200': success('SearchResult', { found: examples['search_service'] }), ...failures('search') },
        },
      },
      '/agent-api/v1/read': {
        get: {
          operationId: 'read_service_page',
          tags: [tag],
          summary: tools.read_service_page.title,
          description: tools.read_service_page.description,
          parameters: [...buildParameters(ReadInput, toolExamples.read_service_page), requestId],
          responses: { '200': success('ReadResult', { part: examples['read_service_page'] }), ...failures('read') },
        },
      },
      '/agent-api/v1/tools': {
        post: {
          operationId: 'execute_service_website_tool',
          tags: [tag],
          summary: 'Run a website tool',
          description: 'Run one of the five tools by its name. The response is the result of the tool.',
          parameters: [requestId],
          requestBody: { required: true, content: { 'application/json': toolBody() } },
          responses: {
            '200': {
              description: 'The result of the tool.',
              headers: versionHeaders,
              content: {
                'application/json': {
                  schema: {
                    oneOf: Object.keys(tools).map((name) => reference(resultNames[name as keyof typeof tools])),
                  },
                  examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
                },
              },
            },
            ...failures('tools'),
          },
        },
      },
    },
    components: { schemas, headers, parameters: { RequestId: requestIdParameter } },
  }
}
