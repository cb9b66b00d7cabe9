/** The page's settings of this deployment. */
export const apiOrigin = metaOf('backline-api') || location.origin
export const serviceName = metaOf('backline-service') || 'Backline'

function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
