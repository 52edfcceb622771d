// The graph in layers: each node below all that it takes, sorted so that few lines cross.
const narrow = (name, most) => (name.length > most ? `${name.slice(0, most - 1)}\u2026` : name);

function layers_of() {
  const layers = [];
  for (const stage of data.stages) stage.readers = [];
  const done = new Set();
  const depth = (stage, above) => {
    if (done.has(stage) || above.has(stage)) return stage.layer || 0;
    above.add(stage);
    stage.layer = stage.takes.reduce((deepest, [from]) =>
      Math.max(deepest, depth(data.stages[from], above) + 1), 0);
    above.delete(stage);
    done.add(stage);
    return stage.layer;
  };
  for (const stage of data.stages) {
    depth(stage, new Set());
    for (const [from] of stage.takes) data.stages[from].readers.push(stage.number);
  }
  for (const stage of data.stages) {  // what is given stands right above its first reader
    if (!is_stage(stage) && !stage.takes.length && stage.readers.length) {
      stage.layer = Math.max(0, Math.min(...stage.readers.map((at) => data.stages[at].layer)) - 1);
    }
    (layers[stage.layer] = layers[stage.layer] || []).push(stage);
  }
  return Array.from(layers, (layer) => layer || []);
}

function untangle(layers) {
  const place = () => layers.forEach((layer) => layer.forEach((stage, i) => {
    stage.order = (i + 0.5) / layer.length;
  }));
  const sort = (layer, near) => {
    for (const stage of layer) {
      const list = near(stage);
      stage.wish = list.length
        ? list.reduce((all, at) => all + data.stages[at].order, 0) / list.length : stage.order;
    }
    layer.sort((a, b) => a.wish - b.wish);
  };
  place();
  for (let i = 0; i < 6; ++i) {
    for (const layer of layers) sort(layer, i % 2 ? (stage) => stage.readers
      : (stage) => stage.takes.map(([from]) => from));
    place();
  }
}

function remark(stage) {
  if (!is_stage(stage)) return stage.kind;
  if (stage.fan_out) {
    const items = stage.items;
    if (!items || !items.listed) return `${stage.rows.length} items`;
    return `${items.kept.toLocaleString('en')} of ${items.total.toLocaleString('en')} kept`;
  }
  const words = (states[stage.state] || states.unknown)[1];
  return stage.rows.some((row) => row.current) ? `${words}, ${duration(stage.seconds)}` : words;
}

function edge(from, to, as) {
  const down = to.y - from.y - 46;
  const bend = Math.max(18, down / 2);
  const far = to.layer - from.layer > 1 || !is_stage(from);
  const start = from.x + from.width / 2;
  const end = to.x + to.width / 2;
  const dashed = ['after', 'when', 'unless'].includes(as);
  const path = svg('path', {class: `edge${dashed ? ' dashed' : ''}${far ? ' far' : ''}`, 'marker-end': 'url(#to)',
    d: `M${start} ${from.y + 46}C${start} ${from.y + 46 + bend} ${end} ${to.y - bend} ${end} ${to.y - 4}`},
  svg('title', {}, as));
  path.ends = [from, to];
  return path;
}

function node(stage) {
  const {x, y, width} = stage;
  const color = (states[stage.state] || states.unknown)[2];
  const symbol = (states[stage.state] || states.unknown)[0];
  const round = is_stage(stage) ? 8 : 23;
  const words = `${stage.name}: ${remark(stage)}`;
  const box = svg('g', {class: `node ${color}`, tabindex: 0, role: 'button', 'aria-label': words},
    svg('title', {}, words), svg('rect', {class: 'box', x, y, width, height: 46, rx: round}),
    svg('rect', {class: 'fill', x, y, width, height: 46, rx: round}),
    svg('text', {x: x + width / 2, y: y + 20, 'text-anchor': 'middle'}, `${symbol} ${narrow(stage.name, 28)}`),
    svg('text', {class: 'small', x: x + width / 2, y: y + 36, 'text-anchor': 'middle'}, remark(stage)));
  box.addEventListener('click', () => open_stage(stage));
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open_stage(stage);
  });
  box.stage = stage;
  return box;
}

function draw_graph() {
  const used = [...new Set(data.stages.filter(is_stage).map((stage) => stage.state))];
  put($('legend-graph'), used.map((name) => el('span', {}, state(name))));
  const layers = layers_of();
  untangle(layers);
  const widths = layers.map((layer) => layer.reduce((all, stage) => {
    stage.width = 40 + 8 * Math.max(Math.min(28, stage.name.length), remark(stage).length * 0.8);
    return all + stage.width + 26;
  }, -26));
  const width = Math.max(120, ...widths) + 20;
  layers.forEach((layer, i) => {
    let x = (width - widths[i]) / 2;
    for (const stage of layer) {
      Object.assign(stage, {x, y: 8 + 78 * i});
      x += stage.width + 26;
    }
  });
  const height = Math.max(1, layers.length) * 78 - 18;
  const edges = data.stages.flatMap((stage) =>
    stage.takes.map(([from, as]) => edge(data.stages[from], stage, as)));
  const picture = svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`},
    svg('defs', {}, svg('marker', {id: 'to', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 7,
      markerHeight: 7, orient: 'auto', markerUnits: 'userSpaceOnUse'},
    svg('path', {class: 'arrow', d: 'M0 0 8 4 0 8z'}))), edges, data.stages.map(node));
  $('graph').append(picture);
}

// The chosen node, and the lines of all that it comes from.
function mark_graph(stage) {
  const from = new Set(stage ? [stage] : []);
  for (const one of from) for (const [at] of one.takes) from.add(data.stages[at]);
  for (const line of document.querySelectorAll('.graph .edge')) {
    line.classList.toggle('on', from.has(line.ends[1]));
  }
  for (const box of document.querySelectorAll('.graph .node')) {
    box.classList.toggle('on', box.stage === stage);
  }
}
