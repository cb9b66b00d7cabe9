/** Settings that the deployment writes into the page as meta elements. */
export const apiOrigin = readMeta('backline-api') || location.origin
export const serviceName = readMeta('backline-service') || 'Backline'

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
