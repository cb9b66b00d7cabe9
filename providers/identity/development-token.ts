import { deploymentToken, isDeploymentToken } from '../deployment-token.ts'

const purpose = 'identity token'

/** Opens the embedded issuer: whoever has it becomes anybody of this deployment. */
export const developmentToken = (serverSecret: string): string => deploymentToken(serverSecret, purpose)

export const opensIssuer = (serverSecret: string, token: string): boolean =>
  isDeploymentToken(serverSecret, purpose, token)
