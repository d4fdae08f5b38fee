import type { QrDesign } from '../../../qr/design.ts';

/** Something to print: a code, with what can stand beside it. All items of a sheet have the same lines; their labels are message keys. */
export type PrintItem = { content: string; design: QrDesign; lines: readonly { label: string; text: string }[] };
