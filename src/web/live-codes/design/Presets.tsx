import { useTranslation } from 'react-i18next';
import type { QrDesign } from '../../../qr/design.ts';
import { presets } from '../../../qr/presets.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { type DesignProps, Group } from './controls.tsx';

const examples = new Set(presets.map((preset) => preset.design.frame.text));

/** Starting points; one that is chosen keeps the logo with its error level, the size and a frame text of the code's own. */
export function Presets({ design, change, text }: DesignProps & { text: string }) {
  const { t } = useTranslation();
  const example = t('qr_code_list.design.frame_example');
  const isOwnText = !examples.has(design.frame.text) && design.frame.text !== example;
  const frameText = isOwnText && design.frame.text ? design.frame.text : example;
  const looks = presets.map(({ id, design: look }) => ({
    id,
    look: look.frame.text ? { ...look, frame: { ...look.frame, text: frameText } } : look,
  }));

  function apply({ logo: _logo, size: _size, error_level, ...look }: QrDesign) {
    change(design.logo ? look : { ...look, error_level });
  }
  return (
    <Group title="qr_code_list.design.presets">
      <div className="lc-code-presets">
        {looks.map(({ id, look }) => (
          <button key={id} type="button" className="lc-code-preset" onClick={() => apply(look)}>
            <QrImage text={text} alt="" design={look} width={56} className="lc-code-preset-image" />
            <span>{t(`qr_code_list.design.preset.${id}`)}</span>
          </button>
        ))}
      </div>
    </Group>
  );
}
