import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Derives the token for a purpose from the deployment's secret. The same secret always gives the same token. */
export function deploymentToken(serverSecret: string, purpose: string): string {
  return createHmac('sha256', serverSecret).update(purpose).digest('base64url')
}

/** Returns whether this is the deployment's token for the purpose. Compares in constant time. */
export function isDeploymentToken(serverSecret: string, purpose: string, token: string): boolean {
  return timingSafeEqual(digest(token), digest(deploymentToken(serverSecret, purpose)))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
