import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Token for one purpose of a deployment. Derived from the deployment's secret, so it does not change. */
export function deploymentToken(serverSecret: string, purpose: string): string {
  return createHmac('sha256', serverSecret).update(purpose).digest('base64url')
}

/** In constant time. */
export function isDeploymentToken(serverSecret: string, purpose: string, token: string): boolean {
  return timingSafeEqual(digest(token), digest(deploymentToken(serverSecret, purpose)))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
