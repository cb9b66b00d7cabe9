/** The page's settings of this deployment. */
export const apiOrigin = readMeta('backline-api') || location.origin
export const serviceName = readMeta('backline-service') || 'Backline'

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
