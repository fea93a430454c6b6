import { holdAndSlide, slideClaims, slideParameters, slidePlots, slideRows } from '../slide.js';
import { defineStudy, table } from '../study.js';

/** Zhao, section 5.2, fig. 10 and 11: a part that is pressed on another, held, and slid along it. */
export const surfaceSlide = defineStudy({
  name: 'surface-slide',
  parameters: slideParameters,
  async run(lab, values) {
    await lab.progress('pressing and sliding', 0);
    const slide = holdAndSlide(lab, values);
    return {
      tables: [table('slide', 'Held and slid', slideRows(slide))],
      plots: slidePlots(slide, 'Slid along the surface'),
      claims: slideClaims(slide, values),
      capped: slide.hold.capped + slide.slide.capped,
    };
  },
});
