import type { ShownPlace } from '../../../contract/visits/ip-data.ts';
import { translate } from '../../kit/texts/i18n.ts';

/** Where an address is, in one line. */
export function placeWords({ country, region, city, carrier }: ShownPlace): string {
  if (country === '') return translate('ip_data.nowhere');
  const names = [country, region, city === region ? '' : city].filter(Boolean);
  return [names.join(' '), carrier === 'other' ? '' : translate(`today_statistics.carrier.${carrier}`)].filter(Boolean).join(' · ');
}
