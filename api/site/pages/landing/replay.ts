import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Recording } from '../../../../domain/site/figures.ts'

const stepMs = 100
const maxSteps = 50
/** Style rules: one class per step that sets the delay, because the content security policy allows no style attribute. */
export const replayDelays = Array.from({ length: maxSteps }, (_, index) => {
  const step = index + 1
  return `.replay .at-${step} {\n  animation-delay: ${(step * stepMs) / 1000}s;\n}\n`
}).join('')
const width = 1000

/**
 * Renders a recorded response whose worker was killed. The animation plays once in real time, for at most five seconds, and
 * ends as a still image. With reduced motion, only this image is shown.
 */
export function replay({ recordedOn, question, killedMs, endedMs, words }: Recording): Html {
  const resumedMs = words.find(({ attempt }) => attempt === 2)?.atMs ?? endedMs
  const renderWords = (attempt: 1 | 2): Html[] =>
    words
      .filter((word) => word.attempt === attempt)
      .map(({ text, atMs }) => html`<span class="word ${delayClass(atMs)}">${text} </span>`)
  return html`<figure class="replay" id="replay">
    <div class="replay-head">
      <p><code>POST /api/chat</code></p>
      <button type="button" class="plain" data-replay hidden>Play again</button>
    </div>
    <p class="question">${question}</p>
    <p class="answer">
      <del class="${delayClass(killedMs)}">${renderWords(1)}</del
      ><strong class="word ${delayClass(killedMs)}"><code>kill -9</code> worker 1</strong> ${renderWords(2)}
    </p>
    <div class="lanes">
      ${lane('Worker 1', [0, killedMs], 'killed', endedMs)}
      ${lane('Worker 2', [resumedMs, endedMs], 'resumed', endedMs)} ${lane('Reader', [0, endedMs], 'reader', endedMs)}
    </div>
    <figcaption>
      The killed worker’s words are retracted, another worker repeats the model call, and the reader’s connection stays
      open: the next token arrives <strong>${resumedMs - killedMs} ms</strong> after the kill. Recorded on
      ${recordedOn}.
    </figcaption>
  </figure>`
}

function lane(name: string, busyMs: readonly [number, number], kind: string, axisMs: number): Html {
  const [from, to] = busyMs.map((ms) => Math.round((ms / axisMs) * width)) as [number, number]
  return html`<p class="lane ${kind}">
    <span>${name}</span>
    <svg viewBox="0 0 ${width} 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="rail" width="${width}" height="12" />
      <rect class="busy" x="${from}" width="${to - from}" height="12" />
    </svg>
  </p>`
}

function delayClass(atMs: number): string {
  return `at-${Math.round(atMs / stepMs)}`
}
