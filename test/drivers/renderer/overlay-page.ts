/** A dashboard of coloured tiles in the look of the theme, which can be loaded at any path. */
export const DASHBOARD = `<!doctype html><meta charset="utf-8"><title>d</title>
<meta name="viewport" content="width=device-width"><style>
:root { color-scheme: light dark; --page: #fafafa; --card: #fff; --ink: #212121 }
@media (prefers-color-scheme: dark) { :root { --page: #111; --card: #1c1c1c; --ink: #e1e1e1 } }
body { margin: 0; padding: 12px; background: var(--page); color: var(--ink); font: 16px system-ui; height: 1600px;
  display: grid; gap: 8px; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); grid-auto-rows: 72px }
section { background: var(--card); border: 1px solid #8883; border-radius: 12px; padding: 12px }
</style>${[
  'Ceiling',
  'Kitchen',
  'Blinds',
  'Heating',
  'Door',
  'Speaker',
  'Lamp',
  'Fan',
  'Desk',
  'Hall',
  'Garden',
  'Bath',
]
  .map((name) => `<section>${name}<br><small>Off</small></section>`)
  .join('')}<dialog id="dialog"><p>more info</p></dialog><script>
window.seen = [];
for (const type of ['pointerdown', 'pointerup', 'click'])
  addEventListener(type, ({ target }) => seen.push(type + ' ' + target.tagName));
</script>`;
