import { useTranslation } from 'react-i18next';
import type { FilterDimension } from '../../../contract/visits/historical-statistics.ts';
import { usePartLabel } from '../charts/labels.ts';

/** 2024 began on a Monday. */
const mondayAt = Date.UTC(2024, 0, 1);
const dayMilliseconds = 86_400_000;

/** Names the values of every dimension in the user's language. */
export function useValueLabel(): (dimension: FilterDimension, value: string, name?: string) => string {
  const { t, i18n } = useTranslation();
  const partLabel = usePartLabel();
  return (dimension, value, name) => {
    switch (dimension) {
      case 'outcome':
        return t(`qr_code_list.outcomes.${value}`);
      case 'target':
        return name || `#${value}`;
      case 'app':
        return value === '' ? t('historical_statistics.no_app') : partLabel('browser', value);
      case 'model':
        return value === '' ? t('common.unknown') : value;
      case 'referer':
        return value === '' ? t('historical_statistics.no_referer') : value;
      case 'language':
        return languageName(value, i18n.language) ?? t('common.unknown');
      case 'host':
        return value === '' ? t('common.unknown') : value;
      case 'weekday':
        return new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' }).format(
          mondayAt + (Number(value) - 1) * dayMilliseconds,
        );
      case 'hour':
        return `${value.padStart(2, '0')}:00`;
      default:
        return partLabel(dimension, value);
    }
  };
}

/** A language by its code, such as `zh-CN`; one that no browser knows stays as it was asked for. */
function languageName(code: string, language: string): string | undefined {
  if (code === '') return undefined;
  try {
    return new Intl.DisplayNames(language, { type: 'language', fallback: 'code' }).of(code) ?? code;
  } catch {
    return code;
  }
}
