/** A logo never needs more: 30 % of the largest image, and a small row in the database. */
const sides = [256, 192, 128, 96];
/** The whole stored design may have 300,000 characters. */
const maxCharacters = 180_000;

/** Fits a picture of any size into a square, never enlarged. */
export function fitInto(width: number, height: number, side: number): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function loadImage(file: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * A picture file as a PNG data URL of at most 256 pixels a side, smaller where that would be too long to store.
 * Throws when the file is no picture that this browser can read.
 */
export async function readLogo(file: Blob): Promise<string> {
  const image = await loadImage(file);
  // A drawing without a size of its own (some SVG) is taken as a square.
  const [width, height] = [image.naturalWidth || 256, image.naturalHeight || 256];
  for (const side of sides) {
    const size = fitInto(width, height, side);
    const canvas = Object.assign(document.createElement('canvas'), size);
    const context = canvas.getContext('2d');
    if (!context) break;
    context.drawImage(image, 0, 0, size.width, size.height);
    const address = canvas.toDataURL('image/png');
    if (address.length <= maxCharacters) return address;
  }
  throw new Error('The picture cannot be made small enough.');
}
