import { useTranslation } from 'react-i18next';
import type { QrDesign } from '../../qr/design.ts';
import { presets } from '../../qr/presets.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { type DesignProps, Group } from './controls.tsx';

/** Starting points; one that is chosen keeps the logo, the size and a frame text of the code's own. */
export function Presets({ design, change, text }: DesignProps & { text: string }) {
  const { t } = useTranslation();
  const examples = new Set(presets.map((preset) => preset.design.frame.text));

  function apply({ logo: _logo, size: _size, ...look }: QrDesign) {
    const isOwnText =
      design.frame.text !== '' && !examples.has(design.frame.text) && design.frame.text !== t('qr_code_list.design.frame_example');
    const example = look.frame.text ? t('qr_code_list.design.frame_example') : '';
    change({ ...look, frame: { ...look.frame, text: isOwnText ? design.frame.text : example } });
  }
  return (
    <Group title="qr_code_list.design.presets">
      <div className="code-presets">
        {presets.map(({ id, design: look }) => (
          <button key={id} type="button" className="code-preset" onClick={() => apply(look)}>
            <QrImage text={text} alt="" design={look} width={56} className="code-preset-image" />
            <span>{t(`qr_code_list.design.preset.${id}`)}</span>
          </button>
        ))}
      </div>
    </Group>
  );
}
