type Values = {
  BLOB_STORE: 'local' | 'vercel' | 's3'
  CODE_HOST: 'local' | 'store' | 'github'
  SANDBOX_PROVIDER: 'auto' | 'bubblewrap' | 'just-bash' | 'vercel' | 'e2b'
  SANDBOX_ADDRESS?: string | undefined
}

/**
 * Returns the settings, as `NAME=value`, with which a deployment can have only one machine, because other machines cannot
 * reach the files or sandboxes of this machine. With `auto`, each machine would choose its isolation separately. Other local
 * sandbox providers need SANDBOX_ADDRESS.
 */
export function localSettings(config: Values, part: 'api' | 'worker'): string[] {
  return [
    ...(config.BLOB_STORE === 'local' ? ['BLOB_STORE=local'] : []),
    ...(config.CODE_HOST === 'local' ? ['CODE_HOST=local'] : []),
    ...(part === 'worker' ? sandboxSettings(config) : []),
  ]
}

function sandboxSettings({ SANDBOX_PROVIDER: provider, SANDBOX_ADDRESS: address }: Values): string[] {
  if (provider === 'auto') return ['SANDBOX_PROVIDER=auto']
  const isLocal = provider === 'bubblewrap' || provider === 'just-bash'
  return isLocal && address === undefined ? [`SANDBOX_PROVIDER=${provider} without SANDBOX_ADDRESS`] : []
}
