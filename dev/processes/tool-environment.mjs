// Plain JavaScript: a bare checkout uses it while its packages are being installed.

/** Environment variables for package managers and compilers: paths, proxies, certificates, locale and the settings of Go. */
const passed =
  /^(PATH|HOME|USER|SHELL|TERM|TMPDIR|TZ|LANG|LC_[A-Z]+|XDG_[A-Z_]+|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|GO[A-Z0-9_]*|CGO_[A-Z_]+|(HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy)$/

/** The environment of a tool that fetches or builds something for us: none of our settings is in it. */
export const toolEnvironment = (more = {}) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
  ...more,
})
