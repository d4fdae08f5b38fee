/** Four decimals of a point are a hundredth of what any printer can show. */
const figure = (value: number): string => String(Math.round(value * 1e4) / 1e4);

type Point = { x: number; y: number };

/** The Bézier curves of a circular arc as SVG describes it (equal radii, as all of ours have). */
function arcCurves(from: Point, radius: number, isLarge: boolean, isClockwise: boolean, to: Point): [Point, Point, Point][] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const distance = Math.hypot(dx, dy);
  if (distance === 0 || radius === 0) return [[from, to, to]];
  const r = Math.max(radius, distance / 2);
  const height = Math.sqrt(Math.max(0, r * r - (distance / 2) ** 2)) * (isLarge === isClockwise ? -1 : 1);
  const center = { x: (from.x + to.x) / 2 - (height * dy) / distance, y: (from.y + to.y) / 2 + (height * dx) / distance };
  const start = Math.atan2(from.y - center.y, from.x - center.x);
  let sweep = Math.atan2(to.y - center.y, to.x - center.x) - start;
  if (isClockwise && sweep < 0) sweep += 2 * Math.PI;
  if (!isClockwise && sweep > 0) sweep -= 2 * Math.PI;
  const parts = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const step = sweep / parts;
  const reach = (4 / 3) * Math.tan(step / 4) * r;
  const at = (angle: number): Point => ({ x: center.x + r * Math.cos(angle), y: center.y + r * Math.sin(angle) });
  return Array.from({ length: parts }, (_, part) => {
    const [a, b] = [start + part * step, start + (part + 1) * step];
    const [p, q] = [at(a), part === parts - 1 ? to : at(b)];
    return [
      { x: p.x - reach * Math.sin(a), y: p.y + reach * Math.cos(a) },
      { x: q.x + reach * Math.sin(b), y: q.y - reach * Math.cos(b) },
      q,
    ];
  });
}

/** The path of one of our drawings (`M m L l H h V v a z`) as PDF operators. */
export function pdfPath(path: string): string {
  const out: string[] = [];
  let now: Point = { x: 0, y: 0 };
  let begin = now;
  const go = (to: Point, operator: 'm' | 'l'): void => {
    now = to;
    if (operator === 'm') begin = to;
    out.push(`${figure(to.x)} ${figure(to.y)} ${operator}`);
  };
  for (const [, command = '', given = ''] of path.matchAll(/([MmLlHhVvAaZz])([^MmLlHhVvAaZz]*)/g)) {
    const numbers = (given.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const [base, size] = [
      command === command.toLowerCase() ? now : { x: 0, y: 0 },
      { m: 2, l: 2, h: 1, v: 1, a: 7, z: 0 }[command.toLowerCase()] ?? 0,
    ];
    if (size === 0) {
      out.push('h');
      now = begin;
      continue;
    }
    let from = base;
    for (let at = 0; at + size <= numbers.length; at += size) {
      const [a = 0, b = 0, , large = 0, sweep = 0, x = 0, y = 0] = numbers.slice(at, at + size);
      const isRelative = command === command.toLowerCase();
      if (isRelative) from = now;
      switch (command.toLowerCase()) {
        case 'm':
          go({ x: from.x + a, y: from.y + b }, at === 0 ? 'm' : 'l');
          break;
        case 'l':
          go({ x: from.x + a, y: from.y + b }, 'l');
          break;
        case 'h':
          go({ x: from.x + a, y: now.y }, 'l');
          break;
        case 'v':
          go({ x: now.x, y: from.y + a }, 'l');
          break;
        default: {
          const to = { x: from.x + x, y: from.y + y };
          for (const [p, q, end] of arcCurves(now, a, large === 1, sweep === 1, to))
            out.push(`${[p, q, end].map((point) => `${figure(point.x)} ${figure(point.y)}`).join(' ')} c`);
          now = to;
        }
      }
    }
  }
  return out.join('\n');
}

/** `#rgb` or `#rrggbb` as the three figures of a PDF colour. */
export function pdfColor(color: string): string {
  const digits = color.length === 4 ? Array.from(color.slice(1), (digit) => digit + digit).join('') : color.slice(1);
  return [0, 2, 4].map((start) => figure(Number.parseInt(digits.slice(start, start + 2), 16) / 255)).join(' ');
}
