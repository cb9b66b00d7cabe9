import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Opens one thing of a deployment to whoever has it. Made from the secret of the deployment, so it stays the same. */
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
