const dark = matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
followScheme()
dark.addEventListener('change', followScheme)

/** Adds a heading to the operations, and replaces links inside buttons with text. */
const accessibility = ({ React }) => ({
  wrapComponents: {
    operations: (Operations) => (props) =>
      React.createElement(
        React.Fragment,
        null,
        React.createElement('h2', { className: 'areas' }, 'Operations'),
        React.createElement(Operations, props),
      ),
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
})

/** Accessible names of the controls that Swagger UI leaves unnamed. */
const names = [
  ['#servers', 'Server'],
  ['.parameters :is(select, input)', 'Value of the parameter'],
  ['.opblock-body select', 'Choice'],
  ['.opblock-body textarea', 'Request body'],
]
const regions = [
  ['.information-container', 'About the API'],
  ['.schemes-server-container', 'Server and credentials'],
  ['.filter-container', 'Filter by area'],
]

const completeMarkup = () => {
  for (const [selector, name] of names)
    for (const control of document.querySelectorAll(selector)) {
      const isNamed = [...(control.labels ?? [])].some(
        (label) => label.textContent.trim() !== '' && control.id !== 'servers',
      )
      if (!isNamed && !control.hasAttribute('aria-label')) control.setAttribute('aria-label', name)
    }
  for (const [selector, name] of regions) {
    const part = document.querySelector(selector)
    part?.setAttribute('role', 'region')
    part?.setAttribute('aria-label', name)
  }
  for (const table of document.querySelectorAll('.responses-table[role=region]'))
    table.setAttribute('aria-label', table.id.replaceAll('_', ' '))
  for (const block of document.querySelectorAll('.swagger-ui pre:not([tabindex])')) block.tabIndex = 0
}
new MutationObserver(completeMarkup).observe(document.querySelector('#root'), { childList: true, subtree: true })

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#root',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  plugins: [accessibility],
})
