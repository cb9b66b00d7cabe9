import { deploymentToken, isDeploymentToken } from '../deployment-token.ts'

const purpose = 'identity token'

/** Opens the embedded issuer: whoever has it becomes anybody of this deployment. */
export function developmentToken(serverSecret: string): string {
  return deploymentToken(serverSecret, purpose)
}

export function opensIssuer(serverSecret: string, token: string): boolean {
  return isDeploymentToken(serverSecret, purpose, token)
}
