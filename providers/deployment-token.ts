import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Opens one thing of a deployment to whoever has it. Made from the secret of the deployment, so it stays the same. */
export const deploymentToken = (serverSecret: string, purpose: string): string =>
  createHmac('sha256', serverSecret).update(purpose).digest('base64url')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** In constant time. */
export const isDeploymentToken = (serverSecret: string, purpose: string, token: string): boolean =>
  timingSafeEqual(digest(token), digest(deploymentToken(serverSecret, purpose)))
