/** Colors and font of all pages outside the console, in both color schemes. Text has a contrast of at least 4.5. */
export const tokens = `
:root {
  color-scheme: light dark;
  --ground: #fff; --raised: #f7f7f5; --text: #1b1c1e; --quiet: #5b6068; --line: #e2e2df; --edge: #7d828a;
  --accent: #a84a10; --on-accent: #fff; --mark: #fde0c5; --tint: #fdf3ea; --bad: #b3201f; --good: #1b6b2e;
  --code: #f7f7f5; --token-comment: #646a73; --token-string: #1b6b2e; --token-word: #8a2a76; --token-name: #0b5394;
  font: 100%/1.65 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16171a; --raised: #1f2024; --text: #e8e9ec; --quiet: #a5aab3; --line: #34363c; --edge: #8b9099;
    --accent: #f4ae7c; --on-accent: #271303; --mark: #5a3717; --tint: #2a2019; --bad: #ff9b94; --good: #8fd6a0;
    --code: #101113; --token-comment: #9298a2; --token-string: #9bd5a6; --token-word: #e6a8d7; --token-name: #93c2f5;
  }
}
`
