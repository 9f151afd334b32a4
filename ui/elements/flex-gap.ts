/**
 * Marks browsers before Chromium 84, which know `gap` in grids but not in flex boxes; no style query tells them apart.
 */
export const markFlexGap = (): void => {
  const box = document.createElement('div');
  box.className = 'flex-gap-probe';
  box.append(document.createElement('i'), document.createElement('i'));
  document.body.appendChild(box);
  document.documentElement.classList.toggle('no-flex-gap', box.scrollHeight === 0);
  box.remove();
};
