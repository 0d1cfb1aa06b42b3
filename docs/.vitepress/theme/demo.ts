import { defineComponent, h, shallowRef } from 'vue';

/** The demo that runs. One at a time: each has an engine and a picture to draw. */
const running = shallowRef<symbol>();

function run(demo: symbol | undefined): void {
  running.value = demo;
}

/** A page of the site in a frame, which is loaded when a reader asks for it. */
export const Demo = defineComponent({
  props: {
    /** The page, relative to this one. */
    address: { type: String, required: true },
    /** The picture in words. */
    label: { type: String, required: true },
  },
  setup(props) {
    const key = Symbol(props.label);
    return () =>
      h('figure', { class: 'demo' }, [
        running.value === key
          ? h('iframe', {
              src: props.address,
              title: props.label,
              // For shared memory.
              allow: 'cross-origin-isolated; gamepad; fullscreen',
            })
          : h('button', { class: 'demo-run', type: 'button', onClick: () => run(key) }, [
              h('span', { class: 'demo-sign', 'aria-hidden': 'true' }),
              h('span', `Run: ${props.label}`),
            ]),
        h('figcaption', [
          h('a', { href: props.address, target: '_blank' }, 'Open in a new tab'),
          running.value === key
            ? h('button', { type: 'button', onClick: () => run(undefined) }, 'Stop')
            : undefined,
        ]),
      ]);
  },
});
