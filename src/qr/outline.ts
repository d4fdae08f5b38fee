import { unit } from './shapes.ts';

/** Which modules are drawn; anything outside the symbol is light. */
export type IsDark = (x: number, y: number) => boolean;

/** How far corners are rounded, in modules: `outer` at convex corners by the direction in which the edge arrives, `inner` at concave ones. */
export type Rounding = { outer: readonly [number, number, number, number]; inner: number };

type Corner = { x: number; y: number; arrival: number; turn: 1 | -1 };

// Directions are numbered clockwise: 0 right, 1 down, 2 left, 3 up.
const stepX = [1, 0, -1, 0] as const;
const stepY = [0, 1, 0, -1] as const;
const commands = ['h', 'v', 'h', 'v'] as const;
const at = <T>(values: readonly T[], direction: number) => values[((direction % 4) + 4) % 4] as T;

/**
 * One closed path around every group of touching dark modules, holes included, in units of a tenth of a module.
 * Edges run with the dark side at their right, so that holes turn the other way and the nonzero rule leaves them open.
 */
export function outlinePath(size: number, isDark: IsDark, rounding: Rounding): string {
  const visited = new Set<number>();
  const key = (x: number, y: number, direction: number) => (y * (size + 1) + x) * 4 + direction;
  const hasEdge = (x: number, y: number, direction: number) => {
    const right = at(
      [
        [0, 0],
        [-1, 0],
        [-1, -1],
        [0, -1],
      ] as const,
      direction,
    );
    const left = at(
      [
        [0, -1],
        [0, 0],
        [-1, 0],
        [-1, -1],
      ] as const,
      direction,
    );
    return isDark(x + right[0], y + right[1]) && !isDark(x + left[0], y + left[1]);
  };
  const trace = (startX: number, startY: number) => {
    const corners: Corner[] = [];
    let [x, y, direction] = [startX, startY, 0];
    while (!visited.has(key(x, y, direction))) {
      visited.add(key(x, y, direction));
      x += at(stepX, direction);
      y += at(stepY, direction);
      // Turning right first keeps modules that only touch at a corner apart.
      const turn = ([1, 0, -1] as const).find((candidate) => hasEdge(x, y, (direction + candidate + 4) % 4)) ?? 0;
      if (turn !== 0) corners.push({ x, y, arrival: direction, turn });
      direction = (direction + turn + 4) % 4;
    }
    return corners;
  };

  let path = '';
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!visited.has(key(x, y, 0)) && hasEdge(x, y, 0)) path += closedPath(trace(x, y), rounding);
    }
  }
  return path;
}

function closedPath(corners: Corner[], { outer, inner }: Rounding): string {
  const radius = (corner: Corner) => Math.round(unit * (corner.turn === 1 ? at(outer, corner.arrival) : inner));
  const last = corners.at(-1);
  if (!last) return '';
  const departure = last.arrival + last.turn;
  let previous = last;
  let path = `M${last.x * unit + at(stepX, departure) * radius(last)} ${last.y * unit + at(stepY, departure) * radius(last)}`;
  for (const corner of corners) {
    const { arrival, turn } = corner;
    const sign = at(stepX, arrival) + at(stepY, arrival);
    const edge = unit * (Math.abs(corner.x - previous.x) + Math.abs(corner.y - previous.y));
    const straight = edge - radius(previous) - radius(corner);
    if (straight > 0) path += `${at(commands, arrival)}${sign * straight}`;
    const r = radius(corner);
    if (r > 0) {
      const dx = r * (at(stepX, arrival) + at(stepX, arrival + turn));
      const dy = r * (at(stepY, arrival) + at(stepY, arrival + turn));
      path += `a${r} ${r} 0 0 ${turn === 1 ? 1 : 0} ${dx} ${dy}`;
    }
    previous = corner;
  }
  return `${path}z`;
}
