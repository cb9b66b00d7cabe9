import { loopbackHostnames, splitList } from './values.ts'

/** Settings that decide which embedded providers are allowed. */
export type Mode = { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined }

/** True if ALLOW_EMBEDDED contains the provider, which production mode can then use in its embedded form. */
export function mayEmbed({ ALLOW_EMBEDDED }: Pick<Mode, 'ALLOW_EMBEDDED'>, provider: string): boolean {
  return splitList(ALLOW_EMBEDDED ?? '').includes(provider)
}

/** Returns the problem of an embedded provider that production mode does not allow. `choice`: what to use instead. */
export function rejectEmbedded(config: Mode, setting: string, provider: string, choice = 'another provider'): string[] {
  const text = `${setting} must not be embedded in production mode: choose ${choice}, or add ${provider} to ALLOW_EMBEDDED.`
  return config.PRODUCTION_MODE && !mayEmbed(config, provider) ? [text] : []
}

/** Returns a problem for each of these settings that is unset. `reason`, such as `with MAIL_PROVIDER=smtp`. */
export function requireSettings<Name extends string>(
  config: { [N in Name]?: unknown },
  names: readonly Name[],
  reason: string,
): string[] {
  return names.filter((name) => config[name] === undefined).map((name) => `${name} is required ${reason}.`)
}

/** Returns a problem for each of these URLs that has no TLS and does not point to this machine. */
export function requireHttps<Name extends string>(config: Record<Name, string>, names: readonly Name[]): string[] {
  return names
    .filter((name) => {
      const { protocol, hostname } = new URL(config[name])
      return protocol !== 'https:' && !loopbackHostnames.has(hostname)
    })
    .map((name) => `${name} must be an https URL; http is allowed only for localhost.`)
}

/** Returns the problems whose condition is true. */
export function listProblems(conditions: Record<string, boolean>): string[] {
  return Object.keys(conditions).filter((problem) => conditions[problem])
}
