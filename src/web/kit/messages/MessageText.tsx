import { useTranslation } from 'react-i18next';
import { codePage } from '../CodeLink.tsx';

/** Where the server names a code, it adds the address of its page. */
const codeAddress = /\/#\/customer\/qr_code\/([1-9]\d{0,14})/;

type MessageTextProps = {
  text: string;
  /** Called when one of its links is followed, to make way for what it leads to. */
  onFollow?: () => void;
};

/** The plain text of a message, with the addresses of codes as links. It also stands in toasts, which are outside of the router. */
export function MessageText({ text, onFollow }: MessageTextProps) {
  const { t } = useTranslation();
  return (
    <p className="lc-message-text" role="document">
      {/* Every second part is an id, as the expression has one group. */}
      {text.split(codeAddress).map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes.
          <a key={at} href={`#${codePage(Number(part))}`} onClick={onFollow}>
            {t('qr_code.open')}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
