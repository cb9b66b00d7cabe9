import { tokens } from './tokens.ts'

/**
 * Stylesheet of all pages. In both color schemes, text has a contrast of at least 4.5; borders of controls and the focus
 * ring have at least 3.
 */
export const style = `${tokens}* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: break-word }
.frame { max-width: 46rem; margin: 0 auto; padding: 0 1rem }
main.frame { padding-top: 1.5rem; padding-bottom: 3rem }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; margin: 2rem 0 0.5rem }
h1 { font-size: 2rem; letter-spacing: -0.02em; margin-top: 0 }
h2 { font-size: 1.375rem; letter-spacing: -0.01em } h3 { font-size: 1.125rem }
@media (max-width: 30rem) { h1 { font-size: 1.625rem } }
p, ul, ol, dl, table, pre { margin: 0 0 1rem }
ul, ol { padding-left: 1.4rem } li { margin-bottom: 0.25rem }
a { color: var(--accent); text-underline-offset: 0.15em }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px }
small, time, .quiet { color: var(--quiet); font-size: 0.875rem }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.875em }
code { overflow-wrap: anywhere } pre code { overflow-wrap: normal; font-size: 1em }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem; overflow-x: auto }
pre.text { white-space: pre-wrap; overflow-wrap: anywhere }
.scroll { overflow-x: auto; margin-bottom: 1rem } .scroll table { margin: 0 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line) }
.scroll td, .scroll th { min-width: 6rem }
.number { white-space: nowrap }
form { margin: 0 0 1rem }
fieldset { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 1rem; padding: 0.5rem 1rem 0.75rem }
fieldset.bare { border: 0; padding: 0; margin: 0 } .field { margin: 0 0 0.75rem } .field label { margin: 0 }
legend { font-weight: 600; padding: 0 0.3rem }
label { display: block; margin-bottom: 0.75rem } fieldset label:has(> input[type=radio]), .choice { display: flex; gap: 0.5rem; align-items: baseline; margin: 0.25rem 0 }
input:not([type=radio]), select, textarea {
  display: block; width: 100%; max-width: 100%; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--edge); border-radius: 6px; padding: 0.45rem 0.6rem; margin-top: 0.2rem
}
input[type=radio] { accent-color: var(--accent); width: 1.1rem; height: 1.1rem; flex: none; margin: 0; position: relative; top: 0.15rem }
input:not([type=radio]), select { min-height: 2.6rem }
textarea { min-height: 7rem; resize: vertical }
input[aria-invalid=true], [aria-invalid=true] { border-color: var(--bad); border-width: 2px }
button {
  font: inherit; font-weight: 600; min-height: 2.5rem; padding: 0.35rem 1rem; margin: 0 0.5rem 0.5rem 0; cursor: pointer;
  border: 1px solid var(--accent); border-radius: 6px; background: var(--accent); color: var(--on-accent)
}
button.plain { background: transparent; color: var(--accent) }
button:disabled { background: var(--raised); border-color: var(--edge); color: var(--quiet); cursor: not-allowed }
.row { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: end } .row > label { flex: 1 1 9rem }
.row > label:first-child { flex-grow: 3 } .row > button { min-height: 2.6rem; margin: 0 0 0.75rem }
.notice, .error { border-left: 4px solid var(--accent); background: var(--raised); padding: 0.5rem 0.9rem; margin: 0 0 1.25rem }
.error { border-color: var(--bad) }
.wrong { color: var(--bad); display: block; font-size: 0.875rem }
video { display: block; max-width: min(100%, 18rem); max-height: 32rem; border-radius: 6px; background: #000; margin: 0 0 0.5rem }
.said { white-space: pre-line; overflow-wrap: anywhere }
iframe { display: block; width: 100%; height: 26rem; border: 1px solid var(--line); background: #fff }
mark { background: var(--mark); color: inherit; border-radius: 2px }
[hidden] { display: none !important }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: 0.5rem; background: var(--ground); padding: 0.5rem }
.entries { list-style: none; padding: 0 } .entries > li { border-top: 1px solid var(--line); padding: 0.75rem 0; margin: 0 }
.entries h2, .entries h3 { margin: 0; font-size: 1rem } .entries p { margin: 0.1rem 0 0 }
h1 + .message { margin-top: 1rem } .message { border-top: 1px solid var(--line); padding: 0.75rem 0 0.25rem }
.message > h2 { font-size: 0.875rem; color: var(--quiet); letter-spacing: 0; margin: 0 0 0.5rem } .message h3, .message h4 { margin-top: 1rem }
.message.user { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem 0; margin-bottom: 0.75rem }
.message.user + .message.assistant { border-top: 0 }
summary { cursor: pointer; color: var(--quiet); font-size: 0.875rem } details { margin: 0 0 1rem } details pre { margin-top: 0.5rem }
aside.panel { border: 2px solid var(--accent); border-radius: 8px; padding: 1rem 1.25rem; margin: 1.5rem 0; background: var(--raised) }
aside.panel h2 { margin-top: 0 }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.2rem 1rem } dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 30rem) { dl { display: block } dd { margin-bottom: 0.5rem } }
`
