import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Skeleton } from 'antd';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Banner } from '../../../contract/content/rotation.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useReducedMotion } from '../../kit/charts/useReducedMotion.ts';
import { JumpLink } from './JumpLink.tsx';

const turnMilliseconds = 6_000;

/** The pictures of a type in turn. Nothing is shown of a type without pictures: a user can't do anything about it. */
export function BannerBlock({ typeId, isPreview }: { typeId: number; isPreview: boolean }) {
  const { t } = useTranslation();
  const banners = useCall(api.rotation.banners, { type_id: typeId }, { staleTime: 60_000, placeholderData: undefined });
  if (banners.isPending) return <Skeleton.Node active classNames={{ root: 'lc-home-banner-loading' }} />;
  const pictures = banners.data?.content ?? [];
  if (pictures.length === 0) return isPreview ? <p className="lc-home-placeholder">{t('home.no_pictures')}</p> : null;
  return <Carousel pictures={pictures} counts={!isPreview} />;
}

/** Turns a strip of pictures by itself, but while it is held or the visitor wants no motion. */
function useCarousel(number: number) {
  const isStill = useReducedMotion();
  const strip = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);
  const [isHeld, setIsHeld] = useState(false);
  const isTurning = number > 1 && !isHeld && !isStill;

  function show(index: number) {
    const list = strip.current;
    const to = (index + number) % number;
    list?.scrollTo({ left: to * list.clientWidth, behavior: isStill ? 'instant' : 'smooth' });
  }
  useEffect(() => {
    if (!isTurning) return;
    const timer = setInterval(() => {
      const list = strip.current;
      if (!list || document.hidden) return;
      const to = (Math.round(list.scrollLeft / list.clientWidth) + 1) % number;
      list.scrollTo({ left: to * list.clientWidth, behavior: 'smooth' });
    }, turnMilliseconds);
    return () => clearInterval(timer);
  }, [isTurning, number]);
  return { strip, shown, setShown, show, setIsHeld };
}

function Carousel({ pictures, counts }: { pictures: readonly Banner[]; counts: boolean }) {
  const { t } = useTranslation();
  const number = pictures.length;
  const { strip, shown, setShown, show, setIsHeld } = useCarousel(number);
  const leaves = (event: FocusEvent<HTMLElement>) => !event.currentTarget.contains(event.relatedTarget);
  return (
    <section
      className="lc-home-banner"
      aria-roledescription="carousel"
      aria-label={t('home.block_kind.banner')}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={(event) => leaves(event) && setIsHeld(false)}
    >
      <ul
        ref={strip}
        className="lc-home-banner-strip"
        onScroll={({ currentTarget }) => setShown(Math.round(currentTarget.scrollLeft / Math.max(1, currentTarget.clientWidth)))}
      >
        {pictures.map((picture, index) => (
          <li key={picture.id} aria-label={t('home.picture_of', { place: index + 1, number })} inert={index !== shown}>
            <JumpLink
              jump={picture}
              className="lc-home-banner-picture"
              // A click counts whether or not its answer comes; the way it leads must not wait.
              onFollow={counts ? () => void api.rotation.click({ id: picture.id }).catch(() => {}) : undefined}
            >
              <img src={picture.picture_url} width={picture.width} height={picture.height} alt={picture.title} />
              {(picture.title || picture.description) && (
                <span className="lc-home-banner-words" aria-hidden>
                  <b>{picture.title}</b>
                  {picture.description && <span>{picture.description}</span>}
                </span>
              )}
            </JumpLink>
          </li>
        ))}
      </ul>
      {number > 1 && <Steps pictures={pictures} shown={shown} show={show} />}
    </section>
  );
}

type StepsProps = { pictures: readonly Banner[]; shown: number; show: (index: number) => void };

/** The buttons to the picture before, the one after, and each of them. */
function Steps({ pictures, shown, show }: StepsProps) {
  const { t } = useTranslation();
  return (
    <>
      <button type="button" className="lc-home-banner-step" aria-label={t('home.previous_picture')} onClick={() => show(shown - 1)}>
        <LeftOutlined aria-hidden />
      </button>
      <button
        type="button"
        className="lc-home-banner-step lc-home-banner-next"
        aria-label={t('home.next_picture')}
        onClick={() => show(shown + 1)}
      >
        <RightOutlined aria-hidden />
      </button>
      <div className="lc-home-banner-dots">
        {pictures.map((picture, index) => (
          <button
            key={picture.id}
            type="button"
            aria-label={t('home.picture_of', { place: index + 1, number: pictures.length })}
            aria-current={index === shown}
            onClick={() => show(index)}
          />
        ))}
      </div>
    </>
  );
}
