/** Inputs at moments that no frame and no tick determines, with the time of each, in ms since 1970. */

const MIN_GAP_MS = 30;
const GAP_MS = 50;

const send = (): void => {
  postMessage(performance.timeOrigin + performance.now());
  setTimeout(send, MIN_GAP_MS + GAP_MS * Math.random());
};
send();
