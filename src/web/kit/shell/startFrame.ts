import { useLayoutEffect } from 'react';

/** Takes the still frame of `index.html` away, once something of the app stands in its place. */
export function useStarted(): void {
  useLayoutEffect(() => document.getElementById('start')?.remove(), []);
}

let ahead = () => {};

/** Names what is loaded as soon as somebody begins to type at the login, so that the way in is short. */
export function setAhead(load: () => void): void {
  ahead = load;
}

export function loadAhead(): void {
  ahead();
  ahead = () => {};
}
