/** Days of more visits than this get room of their own each, so that a thread keeps little of it. */
const largest = 4_000_000;
const rooms = new Map<string, Uint32Array<ArrayBuffer>>();

/**
 * Room for so many numbers, not emptied, and the same for one use again and again: a thread looks at one day after the other, and to be given
 * a megabyte by the system takes longer than to fill it. What stands in it is gone when the next one asks for this use.
 */
export function roomFor(use: string, length: number): Uint32Array<ArrayBuffer> {
  if (length > largest) return new Uint32Array(length);
  let room = rooms.get(use);
  if (!room || room.length < length) {
    room = new Uint32Array(length);
    rooms.set(use, room);
  }
  return room.subarray(0, length);
}
