import { Html } from './html.ts'

/** Shapes of the logo mark: the bars of a level meter on a rounded square. */
const shapes =
  '<rect width="32" height="32" rx="8" fill="#a84a10"/><path d="M8.5 13v6M13.5 8v16M18.5 11v10" stroke="#fff" stroke-width="3" stroke-linecap="round"/><path d="M23.5 15v2" stroke="#fdc9a0" stroke-width="3" stroke-linecap="round"/>'

/** The mark as an SVG file. */
export const markFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes}</svg>\n`

/** The mark as a data URL. */
export const markUrl = `data:image/svg+xml,${encodeURIComponent(markFile.trim())}`

/** The mark inside a page, beside the name of the service. */
export const mark = new Html(
  `<svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">${shapes}</svg>`,
)
