import { usePartLabel } from '../kit/charts/labels.ts';

type PlaceParts = { country: string; region: string; city: string };
type DeviceParts = { system: string; brand: string; model_name: string };

/** Where an address stands: country, region and city, each name once. */
export function Place({ row }: { row: PlaceParts }) {
  const label = usePartLabel();
  const parts = [row.country && label('country', row.country), row.region, row.city];
  return parts.filter((part, at) => part && parts.indexOf(part) === at).join(' ') || '–';
}

/** A device by its model, else by its brand, with its system. */
export function Device({ row }: { row: DeviceParts }) {
  const label = usePartLabel();
  const name = row.model_name || (row.brand && label('brand', row.brand));
  return [name, row.system && label('system', row.system)].filter(Boolean).join(' · ') || '–';
}
