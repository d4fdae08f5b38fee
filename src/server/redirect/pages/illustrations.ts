import type { RefusalOutcome } from './texts.ts';

/** Line art, one picture per refusal. Classes: `s` soft patch, `g` filled with the ground, `a` accent line, `d` accent dot; else a grey line. */
export const illustrationStyle =
  'svg{display:block;width:220px;max-width:70%;height:auto;margin:0 auto 20px;fill:none;stroke:var(--line);stroke-width:3.5;stroke-linecap:round;stroke-linejoin:round}@media(max-height:640px){svg{width:150px;margin-bottom:12px}}svg .s{fill:var(--accent);fill-opacity:.11;stroke:none}svg .g{fill:var(--ground)}svg .a{stroke:var(--accent)}svg .d{fill:var(--accent);stroke:none}svg .t{stroke-opacity:.4}';

const patch = '<path class=s d="M28 98c-8-42 30-76 82-80 54-4 104 22 106 70 2 42-40 70-92 72-50 2-88-20-96-62z"/>';
const ground = '<path class=t d="M30 162h180"/>';
const finder = (x: number, y: number, size: number) => `<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="3"/>`;
const cup =
  '<path class=g d="M70 92h84v34a32 32 0 0 1-32 32h-20a32 32 0 0 1-32-32z"/><path d="M154 102h10a16 16 0 0 1 0 32h-11"/><path class=a d="M96 76c-8-8 8-14 0-24M114 76c-8-8 8-14 0-24M132 76c-8-8 8-14 0-24"/><path class=t d="M84 106v18"/>';
const person = (x: number, y: number, line: string) =>
  `<path class="g${line}" d="M${x - 25} ${y + 48}v-6a25 25 0 0 1 50 0v6z"/><circle class="g${line}" cx="${x}" cy="${y}" r="14"/>`;

const drawings: Record<RefusalOutcome, string> = {
  unknown_host: `${ground}<path d="M120 36v126"/><path class="g a" d="M80 46h78l18 17-18 17H80z"/><path class=g d="M160 92H84l-18 16 18 16h76z"/><path class=a d="M112 58c1-8 16-7 16 1 0 6-8 5-8 11"/><circle class=d cx=120 cy=75.5 r=2.2 /><path class=t d="M96 108h46"/>`,
  blocked_ip: `${ground}<path class=g d="M120 24l54 18v42c0 36-23 58-54 71-31-13-54-35-54-71V42z"/><circle class=a cx=120 cy=86 r=27 /><path class=a d="M107 86h26"/>`,
  not_found: `${ground}<rect class=g x=60 y=36 width=104 height=104 rx=12 />${finder(76, 52, 26)}${finder(122, 52, 26)}${finder(76, 98, 26)}<path class=t d="M112 64v14M88 88h12M112 96h8"/><circle class="g a" cx=150 cy=112 r=30 /><path class=a d="M172 134l22 22"/><path class=a d="M141 106c1-10 19-9 19 1 0 7-9 7-9 13"/><circle class=d cx=151 cy=127 r=2.5 />`,
  frozen: `<path class="g" d="M74 92V66a46 46 0 0 1 92 0v26"/><rect class=g x=56 y=90 width=128 height=72 rx=12 /><path class=a d="M120 104v44M101 115l38 22M139 115l-38 22"/><path class=t d="M120 104l-6-5M120 104l6-5M120 148l-6 5M120 148l6 5"/>`,
  closed: `<circle class=d cx=120 cy=30 r=5 /><path d="M120 30L72 74M120 30l48 44"/><rect class=g x=54 y=74 width=132 height=70 rx=12 /><rect class="a" x=102 y=92 width=11 height=34 rx=4 /><rect class="a" x=127 y=92 width=11 height=34 rx=4 />`,
  owner_inactive: `<path class="g a" d="M136 34a48 48 0 1 0 42 68 40 40 0 0 1-42-68z"/><path class=g d="M62 152a20 20 0 0 1 2-40 27 27 0 0 1 52-6 23 23 0 0 1 33 22 12.5 12.5 0 0 1 0 24z"/><path class=t d="M178 48v14M171 55h14M62 56v10M57 61h10M196 84v8M192 88h8"/>`,
  not_scanned: `${ground}<rect class=g x=80 y=18 width=80 height=144 rx=15 /><path class=t d="M112 30h16"/><path d="M96 64V54h10M134 54h10v10M96 112v10h10M134 122h10v-10"/>${finder(107, 65, 10)}${finder(123, 65, 10)}${finder(107, 101, 10)}<path class=t d="M124 102h9v9"/><path class=a d="M88 88h64"/><path class=a d="M112 144h16"/>`,
  not_messenger: `<path class=g d="M40 52a16 16 0 0 1 16-16h86a16 16 0 0 1 16 16v46a16 16 0 0 1-16 16H86l-22 20v-20h-8a16 16 0 0 1-16-16z"/><path class=t d="M62 62h70M62 80h36"/><path class="g a" d="M108 98a14 14 0 0 1 14-14h66a14 14 0 0 1 14 14v36a14 14 0 0 1-14 14h-4v18l-20-18h-42a14 14 0 0 1-14-14z"/><path class=a d="M152 122l-6 6a9 9 0 0 1-13-13l9-9a9 9 0 0 1 13 0M158 110l6-6a9 9 0 0 1 13 13l-9 9a9 9 0 0 1-13 0" transform="translate(0 -1)"/>`,
  exhausted: `${ground}${person(64, 78, '')}${person(176, 78, '')}${person(120, 66, '')}${person(92, 98, '')}${person(148, 98, '')}${person(120, 114, ' a')}`,
  blocked_source: `${ground}<rect class=g x=44 y=34 width=112 height=84 rx=10 /><path class=t d="M44 54h112M62 74h52M62 90h34"/><circle class=d cx=56 cy=44 r=2.5 /><circle class=d cx=66 cy=44 r=2.5 /><circle class="g a" cx=156 cy=112 r=32 /><path class=a d="M134 134l44-44"/>`,
  unavailable: `${ground}${cup}`,
};

export const illustration = (outcome: RefusalOutcome): string =>
  `<svg viewBox="0 0 240 180" aria-hidden=true>${patch}${drawings[outcome]}</svg>`;
