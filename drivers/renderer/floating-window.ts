/**
 * Keeps pages from a video window that floats above all others, and so above a question at the panel: Chromium has
 * neither a flag nor a command against it, and opens it for a page in the background too (seen with 156). A window that
 * the button of a video opened is closed at once; `leaveIn` listens in a shadow root. Runs before any script of a page.
 */
export const NO_FLOATING_WINDOW = `
  delete window.documentPictureInPicture;
  const leave = document.exitPictureInPicture;
  const leaveIn = (target) => {
    if (typeof leave === 'function')
      target.addEventListener('enterpictureinpicture', () => void leave.call(document).then(() => {}, () => {}), true);
  };
  leaveIn(window);
  Object.defineProperty(Document.prototype, 'pictureInPictureEnabled', { get: () => false });
  HTMLVideoElement.prototype.requestPictureInPicture = () =>
    Promise.reject(new DOMException('This panel shows no floating windows.', 'NotAllowedError'));`;
