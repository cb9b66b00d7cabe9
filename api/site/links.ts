/** On every answer of the site: where programs find out what it offers. */
export const siteLinks =
  '</.well-known/api-catalog>; rel="api-catalog", </agent-api/v1/openapi.json>; rel="service-desc", </agents>; rel="service-doc", </.well-known/ard.json>; rel="ard"'
