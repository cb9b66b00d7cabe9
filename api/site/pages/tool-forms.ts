import { html, type Html } from '../../../domain/pages/html.ts'
import { interests } from '../../../domain/site/tools/brief.ts'
import { questions } from '../../../domain/site/tools/readiness.ts'
import { searchBox } from './search-page.ts'

type Question = keyof typeof questions

const questionTexts: Readonly<Record<Question, string>> = {
  workflow: 'What kind of work is it?',
  frequency: 'How often does it come up?',
  information: 'Where is the information it needs?',
  access: 'Can you open all of it?',
  method: 'Could another person do it from your description?',
  owner: 'Who is responsible for the result?',
  ai: 'How does the team use AI today?',
}

const amounts = [
  ['monthlyHours', 'Hours the work takes', 'hours/month', 100_000],
  ['hourlyCost', 'Cost of an hour', 'USD/hour', 10_000],
  ['timeReduction', 'Time saved', 'percent', 100],
  ['monthlySystemCost', 'Cost of the system', 'USD/month', 1_000_000],
  ['setupCost', 'Cost of the setup', 'USD', 10_000_000],
] as const

const passages = [
  ['workflow', 'The work as it is done today', 500, '20 to 500 characters'],
  ['desiredOutcome', 'Desired outcome', 500, '10 to 500 characters'],
  ['tools', 'Programs and files in use', 500, 'Optional'],
  ['frequency', 'How often it comes up', 120, 'Optional'],
] as const

/**
 * Renders the forms of the five tools. They are disabled until the script of the page runs, because a form without it would
 * send its input as part of a URL.
 */
export function toolForms(): Html {
  return html`<noscript><p class="notice">Search works without JavaScript. The other tools require it.</p></noscript>
    <section id="search" aria-labelledby="search-title">
      <h2 id="search-title">Search</h2>
      ${searchBox()}
      <div data-result aria-live="polite"></div>
    </section>
    <section id="read" aria-labelledby="read-title">
      <h2 id="read-title">Read a page</h2>
      ${form(
        'read_service_page',
        html`${field('id', 'Id from a search', html`<input name="id" id="id" maxlength="300" required placeholder="docs:quickstart" aria-describedby="id-wrong" />`, 'Enter an id from the search results.')}
          <button>Read</button>`,
      )}
      <div data-result aria-live="polite"></div>
    </section>
    <section id="roi" aria-labelledby="roi-title">
      <h2 id="roi-title">Return on a workflow</h2>
      ${form(
        'estimate_workflow_roi',
        html`${amounts.map(([name, label, unit, max]) =>
            field(
              name,
              `${label} (${unit}, 0 to ${max.toLocaleString('en-US')})`,
              html`<input
                type="number"
                name="${name}"
                id="${name}"
                min="0"
                max="${max}"
                step="any"
                required
                aria-describedby="${name}-wrong"
              />`,
              `Enter a number from 0 to ${max.toLocaleString('en-US')}.`,
            ),
          )} <button>Calculate</button>`,
      )}
      <div data-result aria-live="polite"></div>
    </section>
    <section id="readiness" aria-labelledby="readiness-title">
      <h2 id="readiness-title">Readiness</h2>
      ${form('assess_workflow_readiness', html`${Object.keys(questions).map((id) => question(id as Question))} <button>Assess</button>`)}
      <div data-result aria-live="polite"></div>
    </section>
    <section id="brief" aria-labelledby="brief-title">
      <h2 id="brief-title">Brief draft</h2>
      <p>Your text is only arranged into a draft, which you can review. Nothing is stored or sent.</p>
      ${form(
        'prepare_project_brief',
        html`${passages.map(([name, label, max, rule]) =>
            field(
              `brief-${name}`,
              `${label} (${rule})`,
              html`<textarea
                name="${name}"
                id="brief-${name}"
                maxlength="${max}"
                ${rule !== 'Optional' && html`required`}
                aria-describedby="brief-${name}-wrong"
              ></textarea>`,
              rule === 'Optional' ? `Enter at most ${max} characters, or nothing.` : `Enter ${rule}.`,
            ),
          )}
          ${field(
            'interest',
            'Topic',
            html`<select name="interest" id="interest" aria-describedby="interest-wrong">
              ${interests.map((interest) => html`<option ${interest === 'Not sure yet' && html`selected`}>${interest}</option> `)}
            </select>`,
            'Choose one.',
          )} <button>Prepare the draft</button>`,
      )}
      <div data-result aria-live="polite"></div>
    </section>`
}

function form(tool: string, content: Html): Html {
  return html`<form data-tool="${tool}" novalidate autocomplete="off">
    <fieldset class="bare" disabled>${content}</fieldset>
  </form>`
}

/** Renders a field. `errorText`: shown when an error names the field. */
function field(id: string, label: string, control: Html, errorText: string): Html {
  return html`<p class="field">
    <label for="${id}">${label}</label> ${control} <span class="wrong" id="${id}-wrong" hidden>${errorText}</span>
  </p>`
}

function question(id: Question): Html {
  return html`<fieldset aria-describedby="${id}-wrong">
    <legend>${questionTexts[id]}</legend>
    ${questions[id].map(
      (answer) => html`<label><input type="radio" name="${id}" value="${answer}" />${answer}</label> `,
    )}
    <span class="wrong" id="${id}-wrong" hidden>Choose one answer.</span>
  </fieldset>`
}
