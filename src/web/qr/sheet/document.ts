/** A PDF file that is written object by object; streams are deflated beside the page's own work. */
export function createDocument() {
  const objects: (Uint8Array<ArrayBuffer>[] | undefined)[] = [];
  const encode = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0));

  const reserve = (): number => objects.push(undefined);
  function put(id: number, text: string): number {
    objects[id - 1] = [encode(`${id} 0 obj\n${text}\nendobj\n`)];
    return id;
  }
  async function putStream(id: number, entries: string, content: string | Uint8Array<ArrayBuffer>): Promise<number> {
    const bytes = typeof content === 'string' ? encode(content) : content;
    const deflated = new Uint8Array(
      await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer(),
    );
    const head = encode(`${id} 0 obj\n<< ${entries} /Filter /FlateDecode /Length ${deflated.length} >>\nstream\n`);
    objects[id - 1] = [head, deflated, encode('\nendstream\nendobj\n')];
    return id;
  }
  function finish(catalog: number): Blob {
    const head = encode('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n');
    const parts: Uint8Array<ArrayBuffer>[] = [head];
    const offsets: number[] = [];
    let length = head.length;
    for (const object of objects) {
      offsets.push(length);
      for (const part of object ?? []) {
        parts.push(part);
        length += part.length;
      }
    }
    const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    parts.push(
      encode(
        `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
      ),
    );
    return new Blob(parts, { type: 'application/pdf' });
  }
  return {
    reserve,
    put,
    putStream,
    add: (text: string) => put(reserve(), text),
    addStream: (entries: string, content: string | Uint8Array<ArrayBuffer>) => putStream(reserve(), entries, content),
    finish,
  };
}
export type PdfDocument = ReturnType<typeof createDocument>;
