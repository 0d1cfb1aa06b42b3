import { defineComponent, h, ref } from 'vue';

/** The style that the pictures themselves have where a reader prefers less motion. */
const STILL =
  '<style>* { animation-play-state: paused !important; animation-delay: var(--still) !important; }</style>';

/** After a moving picture, which is an image: stops and continues it. */
export const PauseButton = defineComponent(() => {
  const button = ref<HTMLButtonElement>();
  const isPaused = ref(false);
  let moving = '';

  async function toggle(): Promise<void> {
    const image = button.value?.previousElementSibling;
    if (!(image instanceof HTMLImageElement)) return;
    if (isPaused.value) {
      image.src = moving;
    } else {
      moving = image.src;
      const svg = await (await fetch(moving)).text();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg.replace('</svg>', `${STILL}</svg>`))}`;
    }
    isPaused.value = !isPaused.value;
  }

  return () =>
    h(
      'button',
      { ref: button, type: 'button', onClick: toggle },
      isPaused.value ? 'Play' : 'Pause',
    );
});
