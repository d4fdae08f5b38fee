/** Tells that a message was seen, or that the list of all was, to this page and to the user's other tabs. */
type Seen = number | 'all';

const name = 'livecode-messages';
const listeners = new Set<(seen: Seen) => void>();
let channel: BroadcastChannel | undefined;

function tell(seen: Seen): void {
  for (const listener of listeners) listener(seen);
}

/** Opened with the first page that listens; a browser without it has one tab that knows. */
function open(): BroadcastChannel | undefined {
  if (channel === undefined && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => tell(data === 'all' ? 'all' : Number(data));
  }
  return channel;
}

export function tellSeen(seen: Seen): void {
  open()?.postMessage(seen);
  tell(seen);
}

export function onSeen(listener: (seen: Seen) => void): () => void {
  open();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
