/**
 * Marks the chip of the section that is read, and keeps it in sight: the one that holds the focus, else the last that
 * has begun a third down the view.
 */
export const startJump = (): void => {
  const list = document.querySelector<HTMLElement>('.jump-bar .jump');
  if (list === null) return;
  const chips = Array.from(list.querySelectorAll('a'));
  let isDue = false;
  const mark = (): void => {
    isDue = false;
    const { innerHeight: height, scrollY } = window;
    const seen = chips.filter((chip) => !chip.hidden);
    const topOf = (element: Element | null): number => element?.getBoundingClientRect().top ?? Infinity;
    const sectionOf = ({ hash }: HTMLAnchorElement) => document.getElementById(hash.slice(1));
    const held = document.activeElement;
    const heldAt = topOf(held);
    const isAtEnd = scrollY > 0 && height + scrollY >= document.documentElement.scrollHeight - 2;
    const begun = seen.filter((chip) => isAtEnd || topOf(sectionOf(chip)) <= height / 3);
    const current =
      (heldAt > 0 && heldAt < height ? seen.find((chip) => sectionOf(chip)?.contains(held)) : undefined) ??
      // Of short ones several are above the line: the one that was asked for, if any.
      begun.find((chip) => chip.hash === window.location.hash && topOf(sectionOf(chip)) > 0) ??
      begun.pop() ??
      seen[0];
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
  for (const kind of ['scroll', 'resize', 'input', 'focusin']) window.addEventListener(kind, later, { passive: true });
  mark();
};
