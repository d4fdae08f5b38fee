// The encoder alone: the package's own entry would bring its canvas and file renderers along, and it has no types.
declare module 'qrcode/lib/core/qrcode.js' {
  type Created = { version: number; modules: { size: number; data: Uint8Array } };
  const encoder: { create(text: string, options: { errorCorrectionLevel: string; version?: number }): Created };
  export default encoder;
}

declare module 'qrcode/lib/core/alignment-pattern.js' {
  const patterns: { getPositions(version: number): [row: number, column: number][] };
  export default patterns;
}
