// Plain JavaScript, because it runs while the packages are being installed.

/** Variables that package managers and compilers need: paths, proxies, certificates, locale and Go settings. */
const inheritedNames =
  /^(PATH|HOME|USER|SHELL|TERM|TMPDIR|TZ|LANG|LC_[A-Z]+|XDG_[A-Z_]+|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|GO[A-Z0-9_]*|CGO_[A-Z_]+|(HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy)$/

/** Returns the environment of a tool that downloads or builds. It contains none of Backline's settings. */
export const toolEnvironment = (more = {}) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => inheritedNames.test(name))),
  ...more,
})
