import { patchLine } from './patch.ts';

/**
 * Line art of one hand with the pages that visitors see. Classes: `s` soft patch, `g` filled with the ground, `a` accent line, `d` accent
 * dot, `t` faint line; else a line. All stand on 240 by 180.
 */
const patch = `<path class="s" d="${patchLine}"/>`;
const ground = '<path class="t" d="M30 162h180"/>';
const finder = (x: number, y: number, size: number) => `<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="3"/>`;
const code = (x: number, y: number) =>
  `<rect class="g" x="${x}" y="${y}" width="96" height="96" rx="12"/>${finder(x + 14, y + 14, 24)}${finder(x + 58, y + 14, 24)}${finder(x + 14, y + 58, 24)}<path class="t" d="M${x + 48} ${y + 16}v18M${x + 16} ${y + 48}h18M${x + 48} ${y + 48}h10M${x + 70} ${y + 48}h12"/>`;
const plus = (x: number, y: number) =>
  `<circle class="g a p" cx="${x}" cy="${y}" r="21"/><path class="a p" d="M${x} ${y - 10}v20M${x - 10} ${y}h20"/>`;
const glass = (x: number, y: number) => `<circle class="g a" cx="${x}" cy="${y}" r="30"/><path class="a" d="M${x + 22} ${y + 22}l22 22"/>`;
const sheet = '<path class="g" d="M72 26h70l28 28v100a8 8 0 0 1-8 8H72a8 8 0 0 1-8-8V34a8 8 0 0 1 8-8z"/><path d="M142 26v28h28"/>';

const lines = {
  codes: `${ground}${code(62, 40)}<path class="t" d="M120 152h20"/>${plus(166, 132)}`,
  domains: `${ground}<path d="M112 36v126"/><path class="g a" d="M72 46h78l18 17-18 17H72z"/><path class="g" d="M152 92H76l-18 16 18 16h76z"/><path class="a" d="M92 63h40"/><path class="t" d="M88 108h44"/>${plus(178, 132)}`,
  visits: `${ground}<rect class="g" x="76" y="18" width="80" height="144" rx="15"/><path class="t" d="M108 30h16"/><path d="M92 62V52h10M130 52h10v10M92 108v10h10M140 108v10h-10"/>${finder(103, 63, 10)}${finder(119, 63, 10)}${finder(103, 97, 10)}<path class="t" d="M120 98h9v9"/><path class="a" d="M84 86h64M108 144h16"/><path class="a" d="M178 66a28 28 0 0 1 0 40M192 54a46 46 0 0 1 0 64"/>`,
  messages: `<path class="g" d="M40 52a16 16 0 0 1 16-16h86a16 16 0 0 1 16 16v46a16 16 0 0 1-16 16H86l-22 20v-20h-8a16 16 0 0 1-16-16z"/><path class="t" d="M62 62h70M62 80h36"/><path class="g a" d="M108 98a14 14 0 0 1 14-14h66a14 14 0 0 1 14 14v36a14 14 0 0 1-14 14h-4v18l-20-18h-42a14 14 0 0 1-14-14z"/><circle class="d" cx="136" cy="116" r="4"/><circle class="d" cx="155" cy="116" r="4"/><circle class="d" cx="174" cy="116" r="4"/>`,
  search: `${ground}${code(58, 34)}${glass(148, 112)}<path class="a" d="M138 102l20 20M158 102l-20 20"/>`,
  find: `${ground}<rect class="g" x="52" y="34" width="116" height="88" rx="10"/><path class="t" d="M52 54h116M70 72h52M70 90h34"/><circle class="d" cx="64" cy="44" r="2.5"/><circle class="d" cx="74" cy="44" r="2.5"/>${glass(148, 112)}<path class="a" d="M136 112a12 12 0 0 1 12-12"/>`,
  error: `${ground}<path class="g" d="M66 130a26 26 0 0 1 2-52 38 38 0 0 1 73-10 31 31 0 0 1 39 30 16 16 0 0 1-2 32z"/><path class="a" d="M92 100l12 10-12 10M150 100l-12 10 12 10"/><path class="t" d="M104 146v16M136 146v16"/>`,
  lock: `${ground}<path class="g" d="M120 24l54 18v42c0 36-23 58-54 71-31-13-54-35-54-71V42z"/><circle class="a" cx="120" cy="78" r="13"/><path class="a" d="M120 91v28M120 106h12"/>`,
  road: `${ground}<path d="M120 36v126"/><path class="g a" d="M80 46h78l18 17-18 17H80z"/><path class="g" d="M160 92H84l-18 16 18 16h76z"/><path class="a" d="M112 58c1-8 16-7 16 1 0 6-8 5-8 11"/><circle class="d" cx="120" cy="75.5" r="2.2"/><path class="t" d="M96 108h46"/>`,
  list: `${ground}${sheet}<path class="t" d="M86 82h56M86 102h56M86 122h34"/><path class="a" d="M86 60h30"/>${plus(176, 136)}`,
  pictures: `${ground}<rect class="g" x="78" y="28" width="106" height="88" rx="10"/><rect class="g" x="54" y="50" width="106" height="88" rx="10"/><circle class="a" cx="82" cy="76" r="9"/><path class="a" d="M58 128l30-28 22 18 18-16 28 26"/>${plus(176, 136)}`,
  print: `${ground}<path class="g" d="M84 66V28h72v38"/><rect class="g" x="58" y="66" width="124" height="60" rx="10"/><path class="g a" d="M82 104h76v54H82z"/>${finder(94, 116, 14)}${finder(132, 116, 14)}<path class="a" d="M94 144h14M132 144h14"/><circle class="d" cx="164" cy="82" r="3"/><path class="t" d="M100 46h40"/>`,
  share: `${ground}${code(54, 40)}<path class="g a" d="M128 98a14 14 0 0 1 14-14h44a14 14 0 0 1 14 14v34a14 14 0 0 1-14 14h-44a14 14 0 0 1-14-14z"/><path class="a" d="M146 132v-14M164 132v-28M182 132v-8"/>`,
  calm: `${ground}<path class="g" d="M70 92h84v34a32 32 0 0 1-32 32h-20a32 32 0 0 1-32-32z"/><path d="M154 102h10a16 16 0 0 1 0 32h-11"/><path class="a" d="M96 76c-8-8 8-14 0-24M114 76c-8-8 8-14 0-24M132 76c-8-8 8-14 0-24"/><path class="t" d="M84 106v18"/>`,
} as const;

export type ArtName = keyof typeof lines;

export const drawingOf = (name: ArtName): string => patch + lines[name];
