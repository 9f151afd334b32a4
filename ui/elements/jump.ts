/** How far below the chips a section counts as the one that is read, in pixels. */
const MARGIN_PX = 32;

/** Marks the chip of the section that is read, and keeps it in sight. */
export const startJump = (): void => {
  const bar = document.querySelector('.jump-bar');
  const list = bar?.querySelector<HTMLElement>('.jump');
  if (bar === null || list === null || list === undefined) return;
  const chips = Array.from(list.querySelectorAll('a'));
  let isDue = false;
  const mark = (): void => {
    isDue = false;
    const line = bar.getBoundingClientRect().bottom + MARGIN_PX;
    const seen = chips.filter((chip) => !chip.hidden);
    const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    const isBegun = (chip: HTMLAnchorElement): boolean =>
      (document.getElementById(chip.hash.slice(1))?.getBoundingClientRect().top ?? Infinity) <= line;
    // Of the last ones none reaches the line: the one that was asked for, if any.
    const current =
      isAtEnd && window.scrollY > 0
        ? (seen.find(({ hash }) => hash === window.location.hash) ?? seen[seen.length - 1])
        : (seen.filter(isBegun).pop() ?? seen[0]);
    for (const chip of chips) {
      if (chip !== current) chip.removeAttribute('aria-current');
      else if (!chip.hasAttribute('aria-current')) {
        chip.setAttribute('aria-current', 'true');
        list.scrollLeft = chip.offsetLeft - (list.clientWidth - chip.offsetWidth) / 2;
      }
    }
  };
  const later = (): void => {
    if (isDue) return;
    isDue = true;
    window.requestAnimationFrame(mark);
  };
  window.addEventListener('scroll', later, { passive: true });
  window.addEventListener('resize', later);
  document.addEventListener('input', later);
  mark();
};
