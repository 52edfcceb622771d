// Calls stand side by side, so that nights between them take no room; within a call time is linear.
const stopped = ['killed', 'interrupted', 'failed', 'suspended', 'refused', 'waiting'];

function calls_of() {
  const all = data.stages.flatMap((stage) => stage.rows.flatMap((row) => row.gens));
  if (data.calls.length) return data.calls;
  const times = all.filter((one) => one.at !== null);
  if (!times.length) return [];
  return [{fence: Math.max(...times.map((one) => one.fence)), resumed: false, outcome: 'unknown',
    at: times.reduce((least, one) => Math.min(least, one.at - one.seconds * 1000), Infinity),
    end: times.reduce((most, one) => Math.max(most, one.at), 0)}];
}

function lay_out(calls) {
  const gap = calls.length > 12 ? 0.4 : 1.2;
  const room = 100 - gap * (calls.length - 1);
  const least = Math.min(9, room / calls.length);
  const total = calls.reduce((all, call) => all + Math.max(1, call.end - call.at), 0);
  const rest = room - least * calls.length;
  let left = 0;
  for (const call of calls) {
    call.left = left;
    call.width = least + rest * Math.max(1, call.end - call.at) / total;
    left += call.width + gap;
  }
}

// An edit is taken over by a call, but has the fence of the value that was edited.
function date_edits(calls) {
  for (const one of data.stages.flatMap((stage) => stage.rows.flatMap((row) => row.gens))) {
    const call = one.editor >= 0 && calls.findLast((known) => known.at <= one.at);
    if (call) one.fence = call.fence;
  }
}

function x_of(call, at) {
  const share = (at - call.at) / Math.max(1, call.end - call.at);
  return call.left + call.width * Math.min(1, Math.max(0, share));
}

const percent = (number) => `${number.toFixed(3)}%`;

function span(class_name, left, width, title) {
  return placed(el('span', {class: class_name, title}), {left: percent(left), width: percent(width)});
}

function solid(call, one, words) {
  const left = x_of(call, one.at - (one.editor >= 0 ? 0 : one.seconds * 1000));
  const right = x_of(call, one.at);
  const note = one.attempts > 1
    ? `, ${one.attempts} attempts (when the earlier ones ended is not recorded)` : '';
  const block = span(`blk solid${one.editor >= 0 ? ' edit' : ''}`, Math.min(left, call.left + call.width - 0.3),
    right - left, `${words}: ${duration(one.seconds)}${note}; ${text(one.why)}`);
  for (let i = 1; i < Math.min(one.attempts, 8); ++i) {
    block.append(placed(el('span', {class: 'notch'}), {left: percent(100 * i / one.attempts)}));
  }
  return block;
}

// How many items were at work, over a call.
function density(call, made) {
  const bins = 240;
  const steps = new Array(bins + 1).fill(0);
  const bin = (at) => Math.min(bins - 1, Math.max(0,
    Math.floor(bins * (at - call.at) / Math.max(1, call.end - call.at))));
  for (const one of made) {
    steps[bin(one.at - one.seconds * 1000)] += 1;
    steps[bin(one.at) + 1] -= 1;
  }
  let level = 0;
  const levels = steps.slice(0, bins).map((step) => (level += step));
  const most = Math.max(1, ...levels);
  let path = 'M0 24';
  levels.forEach((one, i) => { path += `V${(24 - 17 * one / most).toFixed(1)}H${i + 1}`; });
  const box = svg('svg', {class: 'density', viewBox: `0 0 ${bins} 30`, preserveAspectRatio: 'none',
    'aria-hidden': 'true'}, svg('path', {d: `${path}V24Z`}));
  return placed(box, {left: percent(call.left), width: percent(call.width)});
}

function blocks(stage, calls) {
  const gens = stage.rows.flatMap((row) => row.gens.filter((one) => one.at !== null && one.state < 2));
  const result = [];
  for (const call of calls) {
    result.push(span('call', call.left, call.width));
    const made = gens.filter((one) => one.fence === call.fence);
    const kept = stage.rows.filter((row) => {
      const earlier = row.gens.some((one) => one.fence < call.fence && one.state < 2);
      return earlier && !row.gens.some((one) => one.fence === call.fence);
    }).length;
    if (kept) {
      const share = kept / stage.rows.length;
      const words = stage.fan_out ? `${kept} of ${stage.rows.length} items kept` : 'kept';
      const block = span('blk hatched', call.left, call.width, words);
      result.push(placed(block, {height: `${Math.max(4, 16 * share)}px`,
        top: `${7 + 16 - Math.max(4, 16 * share)}px`}));
    }
    if (made.length > 30) result.push(density(call, made));
    else result.push(...made.map((one) => solid(call, one, stage.fan_out ? 'an item ran' : 'ran')));
    if (stage.rows.some((row) => row.error) && call === calls[calls.length - 1]) {
      result.push(span('blk solid failed', call.left + call.width - 1.2, 1, 'its last attempt failed'));
    }
    if (stopped.includes(call.outcome)) {
      result.push(placed(el('span', {class: 'stop'}), {left: `calc(${percent(call.left + call.width)} - 1.5px)`}));
    }
  }
  return result;
}

function axis(calls) {
  const track = el('span', {class: 'track'});
  calls.forEach((call, i) => {
    const words = `${i + 1}: ${call.outcome}`;
    const when = `${moment(call.at)}, ${call.ended === 'noted' ? '' : 'at least '}${duration((call.end - call.at) / 1000)}`;
    const box = placed(el('span', {class: 'call', title: `call ${words}, ${when}`}, el('b', {}, words),
      el('span', {}, when)), {left: percent(call.left), width: percent(call.width)});
    track.append(box);
    if (stopped.includes(call.outcome)) {
      track.append(placed(el('span', {class: 'stop', title: call.outcome}),
        {left: `calc(${percent(call.left + call.width)} - 1.5px)`}));
    }
  });
  return el('div', {class: 'trow axis', role: 'presentation'}, el('span', {}, 'Calls of the program'),
    track, el('span', {class: 'took'}, 'took'));
}

function draw_timeline() {
  const calls = calls_of();
  const swatch = (class_name, ...inner) => el('span', {class: 'swatch'},
    placed(el('span', {class: class_name}, ...inner), {left: '0', width: '26px', top: '-1px', height: '14px'}));
  put($('legend-time'), [
    el('span', {}, swatch('blk solid'), 'ran'), el('span', {}, swatch('blk hatched'), 'kept'),
    el('span', {}, swatch('blk solid', el('span', {class: 'notch'})), 'a notch: a retry'),
    el('span', {}, swatch('blk solid edit'), 'edited'),
    el('span', {}, placed(el('span', {class: 'swatch'}), {width: '2px', height: '14px', background: 'var(--red)'}), 'stopped')]);
  if (!calls.length) {
    put($('timeline'), el('p', {class: 'soft'}, 'Nothing has run yet.'));
    return;
  }
  lay_out(calls);
  date_edits(calls);
  $('timeline').append(axis(calls));
  for (const stage of data.stages.filter(is_stage)) {
    const track = put(el('span', {class: 'track', 'aria-hidden': 'true'}), blocks(stage, calls));
    const took = stage.rows.some((row) => row.current) ? duration(stage.seconds) : '\u2013';
    $('timeline').append(el('div', {class: 'trow'}, el('button', {class: 'name', type: 'button',
      title: stage.name, on: () => open_stage(stage)}, stage.name), track,
    el('span', {class: 'took'}, took)));
  }
  put($('fine-time'), ['Each box is a call of the program; the time between calls is left out. ',
    'Only the current and the previous generation of a value are kept: earlier ones are not shown. ',
    calls.some((call) => call.ended === 'estimated')
      ? 'The end of a call is recorded only for the last one; the others end with their last record.' : '']);
}
