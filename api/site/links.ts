/** Link header of every response of the site, for programs that discover its content. */
export const siteLinks =
  '</.well-known/api-catalog>; rel="api-catalog", </agent-api/v1/openapi.json>; rel="service-desc", </agents>; rel="service-doc", </.well-known/ard.json>; rel="ard"'
