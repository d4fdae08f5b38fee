import { usePartLabel } from '../kit/charts/labels.ts';

type DeviceParts = { system: string; brand: string; model_name: string };

/** A device by its model, else by its brand, with its system. */
export function Device({ row }: { row: DeviceParts }) {
  const label = usePartLabel();
  const name = row.model_name || (row.brand && label('brand', row.brand));
  return [name, row.system && label('system', row.system)].filter(Boolean).join(' · ') || '–';
}
