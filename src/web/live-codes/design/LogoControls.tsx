import { DeleteOutlined, UploadOutlined } from '@ant-design/icons';
import { App, Button, Switch } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { designLimits, type QrLogo } from '../../../qr/design.ts';
import { FileInput } from '../../kit/form/FileInput.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { Amount, type DesignProps, Group, Row } from './controls.tsx';
import { readLogo } from './readLogo.ts';

const newLogo = (src: string): QrLogo => ({ src, ratio: 0.2, padding: 1, rounded: true });

/** A picture in the middle: from a file, or one of the code's own pictures. */
export function LogoControls({ design, change, pictures }: DesignProps & { pictures: readonly string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { message } = App.useApp();
  const input = useRef<HTMLInputElement>(null);
  const { logo } = design;
  const set = (part: Partial<QrLogo>) => logo && change({ logo: { ...logo, ...part } });
  // A logo hides part of the symbol, which the highest level restores with room to spare.
  const choose = (src: string) => change(logo ? { logo: { ...logo, src } } : { logo: newLogo(src), error_level: 'H' });

  async function read(file: File | undefined) {
    if (!file) return;
    try {
      choose(await readLogo(file));
    } catch {
      void message.error(t('qr_code_list.design.faults.logo_file'));
    }
  }

  return (
    <Group title="qr_code_list.design.logo">
      <div className="lc-code-design-logo">
        {logo && <img className="lc-code-design-logo-image" src={logo.src} alt={t('qr_code_list.design.logo')} />}
        <Button icon={<UploadOutlined />} onClick={() => input.current?.click()}>
          {t(logo ? 'qr_code_list.design.logo_replace' : 'common.picture_field.choose')}
        </Button>
        {logo && (
          <Button type="text" icon={<DeleteOutlined />} onClick={() => change({ logo: null })}>
            {t('qr_code_list.design.logo_remove')}
          </Button>
        )}
        <FileInput ref={input} accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml" onChosen={([file]) => void read(file)} />
      </div>
      {pictures.length > 0 && (
        <Row label="qr_code_list.design.own_pictures">
          {pictures.map((src, index) => (
            <button key={src} type="button" className="lc-code-design-picture" aria-pressed={logo?.src === src} onClick={() => choose(src)}>
              <img className="lc-code-design-picture-image" src={src} alt={t('qr_code_list.design.own_picture', { number: index + 1 })} />
            </button>
          ))}
        </Row>
      )}
      {logo && (
        <>
          <Amount
            label="qr_code_list.design.logo_ratio"
            {...designLimits.logo_ratio}
            step={0.01}
            value={logo.ratio}
            words={format.percent(logo.ratio)}
            onChange={(ratio) => set({ ratio })}
          />
          <Amount
            label="qr_code_list.design.logo_padding"
            {...designLimits.logo_padding}
            step={0.5}
            value={logo.padding}
            words={t('qr_code_list.design.modules', { count: logo.padding })}
            onChange={(padding) => set({ padding })}
          />
          <Row label="qr_code_list.design.logo_rounded">
            <Switch
              size="small"
              checked={logo.rounded}
              onChange={(rounded) => set({ rounded })}
              aria-label={t('qr_code_list.design.logo_rounded')}
            />
          </Row>
        </>
      )}
    </Group>
  );
}
