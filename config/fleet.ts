type Values = {
  BLOB_STORE: 'local' | 'vercel' | 's3'
  CODE_HOST: 'local' | 'store' | 'github'
  SANDBOX_PROVIDER: 'auto' | 'bubblewrap' | 'just-bash' | 'vercel' | 'e2b'
}

/**
 * The settings, as `NAME=value`, whose files or isolation other machines do not have: a second machine refuses them. With
 * `auto`, each machine would choose an isolation of its own.
 */
export function localSettings(config: Values, part: 'api' | 'worker'): string[] {
  return [
    ...(config.BLOB_STORE === 'local' ? ['BLOB_STORE=local'] : []),
    ...(config.CODE_HOST === 'local' ? ['CODE_HOST=local'] : []),
    ...(part === 'worker' && config.SANDBOX_PROVIDER === 'auto' ? ['SANDBOX_PROVIDER=auto'] : []),
  ]
}
