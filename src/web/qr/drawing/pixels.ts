/**
 * An image as a canvas gives it: four bytes a pixel, red, green, blue, alpha, rows from the top.
 * An ImageData is one; its fields are getters, so it cannot be spread and is slow to ask for its data in a loop.
 */
export type Pixels = { data: Uint8ClampedArray; width: number; height: number };

const mapChannels = (image: Pixels, change: (value: number) => number): Pixels => {
  const { data: source } = image;
  const data = new Uint8ClampedArray(source.length);
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : change(source[i] ?? 0);
  return { data, width: image.width, height: image.height };
};

/** The image as it looks on white paper. */
export function onWhite(image: Pixels): Pixels {
  const { data: source } = image;
  const data = new Uint8ClampedArray(source.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = (source[i + 3] ?? 0) / 255;
    for (let c = 0; c < 3; c++) data[i + c] = (source[i + c] ?? 0) * alpha + 255 * (1 - alpha);
    data[i + 3] = 255;
  }
  return { data, width: image.width, height: image.height };
}

/** Every new pixel is the mean of those that it covers, as in a camera that stands farther away. `factor` is at most 1; opaque images only. */
export function shrink(image: Pixels, factor: number): Pixels {
  const { data: source, width: sourceWidth, height: sourceHeight } = image;
  const width = Math.max(1, Math.round(sourceWidth * factor));
  const height = Math.max(1, Math.round(sourceHeight * factor));
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.floor((y * sourceHeight) / height), Math.ceil(((y + 1) * sourceHeight) / height)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.floor((x * sourceWidth) / width), Math.ceil(((x + 1) * sourceWidth) / width)];
      const sums = [0, 0, 0];
      for (let sourceY = top; sourceY < bottom; sourceY++) {
        for (let sourceX = left; sourceX < right; sourceX++) {
          const i = (sourceY * sourceWidth + sourceX) * 4;
          for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + (source[i + c] ?? 0);
        }
      }
      const area = (bottom - top) * (right - left);
      for (let c = 0; c < 3; c++) data[(y * width + x) * 4 + c] = (sums[c] ?? 0) / area;
    }
  }
  return { data, width, height };
}

const binomial = [1, 4, 6, 4, 1] as const;

/** A Gaussian of one pixel's deviation: a lens slightly out of focus. Opaque images only. */
export function blur(image: Pixels): Pixels {
  const pass = ({ data: source, width, height }: Pixels, stepX: number, stepY: number): Pixels => {
    const data = new Uint8ClampedArray(source.length).fill(255);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const target = (y * width + x) * 4;
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let k = 0; k < 5; k++) {
            const nearX = Math.min(width - 1, Math.max(0, x + (k - 2) * stepX));
            const nearY = Math.min(height - 1, Math.max(0, y + (k - 2) * stepY));
            sum += (binomial[k] ?? 0) * (source[(nearY * width + nearX) * 4 + c] ?? 0);
          }
          data[target + c] = sum / 16;
        }
      }
    }
    return { data, width, height };
  };
  return pass(pass(image, 1, 0), 0, 1);
}

/** Pulls all values towards middle grey: 1 changes nothing, 0 leaves grey. Opaque images only. */
export const lowerContrast = (image: Pixels, factor: number): Pixels => mapChannels(image, (value) => 128 + (value - 128) * factor);

const linear = (channel: number) => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance as WCAG 2 defines it, 0 (black) to 1 (white); undefined outside the image. */
export function luminanceAt({ data, width, height }: Pixels, x: number, y: number): number | undefined {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (column < 0 || row < 0 || column >= width || row >= height) return undefined;
  const i = (row * width + column) * 4;
  return 0.2126 * linear(data[i] ?? 0) + 0.7152 * linear(data[i + 1] ?? 0) + 0.0722 * linear(data[i + 2] ?? 0);
}
