import { useTranslation } from 'react-i18next';
import type { Dimension } from '../../../contract/visits/statistics.ts';
import { countryName, regionName } from '../places.ts';

/** A recorded value as the last part of a message key: `Huawei Browser` is `huawei_browser`. */
const keyOf = (value: string): string =>
  value
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** Names the values of a breakdown in the user's language; a name that has no translation is shown as it was recorded. */
export function usePartLabel(): (dimension: Dimension, value: string) => string {
  const { t, i18n } = useTranslation();
  const translated = (key: string, value: string) => (keyOf(value) !== '' && i18n.exists(key) ? t(key) : value);
  return (dimension, value) => {
    if (dimension === 'brand' && value === '') return t('today_statistics.brand.none');
    if (value === '') return t('common.unknown');
    switch (dimension) {
      case 'carrier':
        return translated(`today_statistics.carrier.${keyOf(value)}`, value);
      case 'source':
        return translated(`today_statistics.source.${keyOf(value)}`, value);
      case 'system':
        return value === 'other' ? t('today_statistics.system.other') : value;
      case 'brand':
        return translated(`today_statistics.brand.${keyOf(value)}`, value);
      case 'browser':
        return translated(`today_statistics.browser.${keyOf(value)}`, value);
      case 'country':
        return countryName(value, i18n.language);
      case 'region':
        return regionName(value, i18n.language);
      default:
        return value;
    }
  };
}
