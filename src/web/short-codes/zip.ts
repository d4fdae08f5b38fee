import { zip } from 'fflate';

/** One file of a ZIP; two of the same name are told apart by a number. */
type ZipEntry = { name: string; blob: Blob };

/** Packs files in the browser, beside the page's own work. Pictures are small already and are stored as they are. */
export async function zipFiles(entries: readonly ZipEntry[]): Promise<Blob> {
  const files: Record<string, [Uint8Array, { level: 0 | 6 }]> = {};
  for (const { name, blob } of entries) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    files[freeName(name, files)] = [bytes, { level: blob.type === 'image/svg+xml' ? 6 : 0 }];
  }
  return new Promise((resolve, reject) => {
    zip(files, (error, data) =>
      error ? reject(error) : resolve(new Blob([data as Uint8Array<ArrayBuffer>], { type: 'application/zip' })),
    );
  });
}

function freeName(name: string, taken: object): string {
  if (!Object.hasOwn(taken, name)) return name;
  const dot = name.lastIndexOf('.');
  for (let number = 2; ; number += 1) {
    const next = `${name.slice(0, dot)} ${number}${name.slice(dot)}`;
    if (!Object.hasOwn(taken, next)) return next;
  }
}
