type Place = { country: string; region: string; city: string };

/** Country, region and city as far as they are known, without saying the same twice (北京 北京). */
export function placeOf({ country, region, city }: Place): string {
  const parts = [country, region, city].filter((part, at, all) => part !== '' && all.indexOf(part) === at);
  return parts.join(' ') || '–';
}
