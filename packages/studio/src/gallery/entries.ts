/** What the gallery says of the scenes that come with Palpable, in the order in which it shows them. */

export interface GalleryKind {
  readonly title: string;
  /** By name: what to do, what to feel and from which paper it is, in one or two sentences. */
  readonly scenes: Readonly<Record<string, string>>;
}

export const GALLERY_KINDS: readonly GalleryKind[] = [
  {
    title: 'Assembly',
    scenes: {
      'nut-bolt':
        'Set the nut on the bolt and turn it clockwise: it goes down by 2 mm per turn. Push it straight, and the thread holds it.',
      gears:
        'Put the gear on the middle shaft: it stops on the teeth of the other two until you rotate it by half a tooth.',
      'peg-blind-hole':
        'Lower a square peg into a hole with 0.4 mm of clearance on every side; at the bottom nearly all of its points touch (Sagardia and Hulin, fig. 7c).',
      'engine-starter':
        'Slide the starter motor on the ledge of the engine and into its seat, past everything in its path (Zhao, Li and Barbič, fig. 8).',
      'door-window-motor':
        'Slide the motor over the sheet metal of a car door, and put it through the opening beside it (Zhao, Li and Barbič, fig. 10).',
    },
  },
  {
    title: 'Bodies that bend',
    scenes: {
      'clip-pipe':
        'Push the clip down onto the pipe: its arms spread, slide, and snap in with a jerk; pulling it off again takes more (Duriez et al., fig. 14).',
      'clip-soft-pipe':
        'The same clip on a rubber pipe: now both bend, and the snap is softer (Duriez et al., fig. 17). Change either material while you press.',
      'table-floor':
        'Press the table down and drag it: its legs bend and stick, then slide one by one. Contacts of one leg are coupled, those of different legs hardly (Duriez et al., fig. 6 and 9).',
    },
  },
  {
    title: 'Experiments of the papers',
    scenes: {
      'corner-cube':
        'Push the cube into three walls and along them: friction holds it, then it slides with the right force (Zhao, Li and Barbič, fig. 1).',
      'bunny-knock':
        'Knock on the teapot, slide around it and put an ear through the handle: the bunny stays outside however far your hand goes in (Sagardia and Hulin, fig. 8).',
      'peg-hole':
        'Press a peg into a hole 1 % too narrow: the force it takes grows with the friction coefficient (Zhao, Li and Barbič, fig. 12).',
      'peg-snake':
        'Push and swing the jammed peg: at this friction nothing lets it in. With the friction model “springs” it creeps down (Zhao, Li and Barbič, fig. 17).',
      'starter-blocked':
        'Push the starter motor in along x while it is 4 mm too high: friction blocks it on the bevel at 0.8 and lets it in at 0.3 (Zhao, Li and Barbič, fig. 18).',
      'cube-holds':
        'Press the cube into the edge and pull it back and forth: it must not creep. Compare the friction models (Zhao, Li and Barbič, fig. 15).',
      'thin-sheet':
        'Push the bunny onto a sheet half a millimetre thick, as fast as you can: it does not go through (Sagardia and Hulin, fig. 7b).',
      jaws: 'Bite with the upper jaw and slide along the teeth: contacts are found in a separate thread, at the level of detail that your hand can distinguish (Otaduy and Lin, fig. 6).',
      'spoon-cup':
        'Put a ten-gram spoon into the cup, stir, and knock on rim and bottom: so light a tool is stable because its motion is integrated implicitly (Otaduy and Lin, fig. 4).',
      'corner-god-object':
        'Slide and tilt the cube in the corner: one direction for all contacts lets it sink in slightly, the manifold does not (after Sagardia and Hulin).',
    },
  },
  {
    title: 'Basics',
    scenes: {
      'bunny-teapot':
        'The bunny carries a shell of points, the teapot a distance field: every point below zero is a contact. Touch it anywhere.',
      'block-plate':
        'Push the block down and sideways, and feel where sticking ends and sliding begins (Sagardia and Hulin, Algorithm 1).',
    },
  },
];

/** The experiments lay sheets into each other and use one at a time; and the page has one hand. */
export const NOT_SHOWN: readonly string[] = ['bunny-sheets', 'clip-two-hands'];
