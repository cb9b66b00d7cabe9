/** Colors and font of all pages, including the console, in both color schemes. Text has a contrast of at least 4.5. */
export const tokens = `
:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --raised: #f1f1ec; --text: #1b1c1a; --quiet: #5c5e58; --line: #dcdcd4; --edge: #7d7f78;
  --accent: #8a3b12; --on-accent: #fff; --mark: #fbe3c4; --bad: #a4161a;
  font: 100%/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #171816; --raised: #22241f; --text: #ecece6; --quiet: #a9aca2; --line: #3a3c36; --edge: #8b8e84;
    --accent: #f2a469; --on-accent: #231304; --mark: #57371a; --bad: #ff9b94;
  }
}
`
