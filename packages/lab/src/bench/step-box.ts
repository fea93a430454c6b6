/** A STEP file (AP214) of one box with its corner at the origin, sizes in millimetres: a small valid file to start from. */
export function writeStepBox(sizes: readonly [number, number, number]): string {
  const lines: string[] = [];
  const add = (entity: string) => `#${lines.push(`#${lines.length + 1}=${entity};`)}`;
  const triple = (values: readonly number[]) => `(${values.map((value) => value.toFixed(6)).join(',')})`;
  const point = (values: readonly number[]) => add(`CARTESIAN_POINT('',${triple(values)})`);
  const direction = (values: readonly number[]) => add(`DIRECTION('',${triple(values)})`);
  const placement = (origin: readonly number[], axis: readonly number[], reference: readonly number[]) =>
    add(`AXIS2_PLACEMENT_3D('',${point(origin)},${direction(axis)},${direction(reference)})`);

  const context = addContext(add);
  const corners = Array.from({ length: 8 }, (_, i) =>
    [i & 1, (i >> 1) & 1, i >> 2].map((on, axis) => on * sizes[axis]),
  );
  const vertices = corners.map((corner) => add(`VERTEX_POINT('',${point(corner)})`));
  const edges = new Map<string, string>();
  const orientedEdge = (from: number, to: number) => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const key = `${low} ${high}`;
    const along = corners[high].map((value, axis) => Math.sign(value - corners[low][axis]));
    if (!edges.has(key)) {
      const line = add(`LINE('',${point(corners[low])},${add(`VECTOR('',${direction(along)},1.)`)})`);
      edges.set(key, add(`EDGE_CURVE('',${vertices[low]},${vertices[high]},${line},.T.)`));
    }
    return add(`ORIENTED_EDGE('',*,*,${edges.get(key)},${from === low ? '.T.' : '.F.'})`);
  };
  const faces = FACES.map(({ loop, normal, reference }) => {
    const oriented = loop.map((corner, i) => orientedEdge(corner, loop[(i + 1) % 4]));
    const bound = add(`FACE_OUTER_BOUND('',${add(`EDGE_LOOP('',(${oriented.join(',')}))`)},.T.)`);
    const plane = add(`PLANE('',${placement(corners[loop[0]], normal, reference)})`);
    return add(`ADVANCED_FACE('',(${bound}),${plane},.T.)`);
  });
  const solid = add(`MANIFOLD_SOLID_BREP('Box',${add(`CLOSED_SHELL('',(${faces.join(',')}))`)})`);
  const frame = placement([0, 0, 0], [0, 0, 1], [1, 0, 0]);
  const shape = add(`ADVANCED_BREP_SHAPE_REPRESENTATION('',(${frame},${solid}),${context.units})`);
  add(`SHAPE_DEFINITION_REPRESENTATION(${context.definition},${shape})`);
  return `${HEADER}DATA;\n${lines.join('\n')}\nENDSEC;\nEND-ISO-10303-21;\n`;
}

const HEADER = `ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('A box'),'2;1');
FILE_NAME('box.step','2000-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));
ENDSEC;
`;

/** Corners counter-clockwise seen from outside; bit 0 of a corner is x, bit 1 y, bit 2 z. */
const FACES: readonly {
  loop: readonly [number, number, number, number];
  normal: readonly number[];
  reference: readonly number[];
}[] = [
  { loop: [0, 2, 3, 1], normal: [0, 0, -1], reference: [1, 0, 0] },
  { loop: [4, 5, 7, 6], normal: [0, 0, 1], reference: [1, 0, 0] },
  { loop: [0, 1, 5, 4], normal: [0, -1, 0], reference: [1, 0, 0] },
  { loop: [2, 6, 7, 3], normal: [0, 1, 0], reference: [1, 0, 0] },
  { loop: [0, 4, 6, 2], normal: [-1, 0, 0], reference: [0, 1, 0] },
  { loop: [1, 3, 7, 5], normal: [1, 0, 0], reference: [0, 1, 0] },
];

/** Product and units, which a reader wants to see before the shape. */
function addContext(add: (entity: string) => string): { definition: string; units: string } {
  const application = add(`APPLICATION_CONTEXT('core data for automotive mechanical design processes')`);
  add(`APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,${application})`);
  const product = add(`PRODUCT('Box','Box','',(${add(`PRODUCT_CONTEXT('',${application},'mechanical')`)}))`);
  const formation = add(`PRODUCT_DEFINITION_FORMATION('','',${product})`);
  const stage = add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`);
  const definition = add(
    `PRODUCT_DEFINITION_SHAPE('','',${add(`PRODUCT_DEFINITION('design','',${formation},${stage})`)})`,
  );
  const length = add('(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))');
  const angle = add('(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))');
  const solidAngle = add('(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())');
  const accuracy = add(`UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),${length},'distance_accuracy_value','')`);
  const units = add(
    `(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((${accuracy}))GLOBAL_UNIT_ASSIGNED_CONTEXT((${length},${angle},${solidAngle}))REPRESENTATION_CONTEXT('',''))`,
  );
  return { definition, units };
}
