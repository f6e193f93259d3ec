"use strict";
// Everything in the page can be read without this: it adds sorting, hovering and the map that moves.

// Tables: a click on a head sorts by its column.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sort(table.tBodies[0], column, down);
    });
  });
}

function sort(body, column, down) {
  const value = (row) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
  };
  const empty = (row) => row.cells[column].classList.contains("none");
  const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
  const rows = [...body.rows];
  rows.sort((a, b) => empty(a) - empty(b) || (down ? -1 : 1) * order(value(a), value(b)));
  body.append(...rows);
}

// Charts: the nearest point tells what it is; arrow keys go from point to point.
const tip = document.getElementById("tip");

for (const chart of document.querySelectorAll(".chart svg[role]")) {
  const points = [...chart.querySelectorAll(".point")];
  let at = -1;
  const show = (index) => {
    points[at]?.classList.remove("at");
    at = index;
    const point = points[at];
    tip.hidden = !point;
    if (!point) return;
    point.classList.add("at");
    tip.textContent = point.dataset.tip;
    const box = point.getBoundingClientRect();
    const left = Math.min(box.right + 8, innerWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, box.top - tip.offsetHeight - 6)}px`;
  };
  chart.addEventListener("pointermove", (event) => {
    let best = -1;
    let least = 30;
    points.forEach((point, index) => {
      const box = point.getBoundingClientRect();
      const away = Math.hypot(event.clientX - (box.left + box.right) / 2, event.clientY - (box.top + box.bottom) / 2);
      if (away < least) [best, least] = [index, away];
    });
    show(best);
  });
  chart.addEventListener("pointerleave", () => show(-1));
  chart.addEventListener("blur", () => show(-1));
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") show(-1);
    if (!step || points.length === 0) return;
    event.preventDefault();
    show((at + step + points.length) % points.length);
  });
}
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

// The map that moves.
for (const figure of document.querySelectorAll(".explorer")) explore(figure);

function explore(figure) {
  const bytes = (name) => {
    const data = atob(figure.querySelector(`[data-column="${name}"]`).textContent);
    return Uint8Array.from(data, (letter) => letter.charCodeAt(0));
  };
  const floats = (name) => new Float32Array(bytes(name).buffer);
  const [x, y, units, radius, held, centreX, centreY] = ["x", "y", "n", "r", "u", "cx", "cy"].map(floats);
  const classes = bytes("c");
  const beyond = bytes("e");
  if (x.length === 0) return;
  figure.hidden = false;
  const canvas = figure.querySelector("canvas");
  const told = figure.querySelector(".told");
  const pen = canvas.getContext("2d");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // Classes are counted from safe to risky, the legend goes down from risky.
  const dots = [...figure.querySelectorAll(".class-dot")].reverse();
  const order = [...x.keys()].sort((a, b) => classes[a] - classes[b]);
  const isolation = (i) => (Number.isNaN(radius[i]) ? Infinity : radius[i]);
  const isolated = [...x.keys()].sort((a, b) => isolation(b) - isolation(a) || a - b);
  let only = false;
  const isShown = (i) => !only || beyond[i] === 1;
  let next = 0;
  let chosen = -1;
  let scale = 1;
  let middle = [0, 0];

  const least = (values) => values.reduce((a, b) => Math.min(a, b));
  const most = (values) => values.reduce((a, b) => Math.max(a, b));
  const extent = [least(x), least(y), most(x), most(y)];
  const wide = Math.max(extent[2] - extent[0], extent[3] - extent[1]) || 1000;

  const width = () => canvas.clientWidth;
  const height = () => canvas.clientHeight;
  const px = (i) => [(x[i] - middle[0]) * scale + width() / 2, (middle[1] - y[i]) * scale + height() / 2];
  const whole = () => {
    middle = [(extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2];
    const sides = [(extent[2] - extent[0]) || wide, (extent[3] - extent[1]) || wide];
    scale = 0.92 * Math.min(width() / sides[0], height() / sides[1]);
  };
  const zoom = (by, at = [width() / 2, height() / 2]) => {
    const old = scale;
    const smallest = (0.4 * Math.min(width(), height())) / wide;
    scale = Math.min(Math.max(scale * by, smallest), Math.max(50, smallest * 2));
    middle[0] += (at[0] - width() / 2) * (1 / old - 1 / scale);
    middle[1] -= (at[1] - height() / 2) * (1 / old - 1 / scale);
    ask();
  };

  let asked = false;
  function ask() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  }

  function draw() {
    const ratio = devicePixelRatio || 1;
    const [w, h] = [Math.round(width() * ratio), Math.round(height() * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const style = getComputedStyle(figure);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(ratio, w, h);
    if (chosen >= 0) outline(style.getPropertyValue("--accent"));
    bar(style.getPropertyValue("--ink"), style.getPropertyValue("--map"));
  }

  // Dots pixel by pixel: a hundred thousand paths would take too long to follow the hand.
  function paint(ratio, w, h) {
    const size = ratio * Math.min(5, Math.max(1.6, 1.6 + Math.log2(1 + scale * 8)));
    const reach = Math.ceil(size);
    // Pixels of a dot as steps within the image, which has room for dots on its edge.
    const pad = 2 * reach;
    const wide = w + 2 * pad;
    const steps = [];
    const covers = [];
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const cover = Math.min(1, size + 0.5 - Math.hypot(dx, dy));
        if (cover <= 0) continue;
        steps.push(4 * (dy * wide + dx));
        covers.push(cover);
      }
    }
    const [across, down] = [width(), height()];
    const image = pen.createImageData(wide, h + 2 * pad);
    const { data } = image;
    const inks = dots.map((sign) => getComputedStyle(sign).fill.match(/\d+/g).map(Number));
    for (const i of order) {
      const left = Math.round(((x[i] - middle[0]) * scale + across / 2) * ratio);
      const top = Math.round(((middle[1] - y[i]) * scale + down / 2) * ratio);
      if (!isShown(i) || left < -reach || top < -reach || left > w + reach || top > h + reach) continue;
      const start = 4 * ((top + pad) * wide + left + pad);
      const ink = inks[classes[i]];
      for (let k = 0; k < steps.length; k += 1) {
        const at = start + steps[k];
        const under = (1 - covers[k]) * (data[at + 3] / 255);
        const all = covers[k] + under;
        data[at] = (ink[0] * covers[k] + data[at] * under) / all;
        data[at + 1] = (ink[1] * covers[k] + data[at + 1] * under) / all;
        data[at + 2] = (ink[2] * covers[k] + data[at + 2] * under) / all;
        data[at + 3] = 255 * all;
      }
    }
    pen.putImageData(image, -pad, -pad);
  }

  function outline(colour) {
    const [left, top] = px(chosen);
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5;
    pen.beginPath();
    pen.moveTo(left - 8, top - 8);
    pen.lineTo(left + 8, top + 8);
    pen.moveTo(left + 8, top - 8);
    pen.lineTo(left - 8, top + 8);
    const r = radius[chosen] * scale;
    if (!Number.isNaN(r)) {
      const cx = (centreX[chosen] - middle[0]) * scale + width() / 2;
      const cy = (middle[1] - centreY[chosen]) * scale + height() / 2;
      const shape = figure.dataset.metric;
      if (shape === "l2") {
        pen.moveTo(cx + r, cy);
        pen.arc(cx, cy, r, 0, 7);
      } else {
        const corners = shape === "linf" ? [[-1, -1], [1, -1], [1, 1], [-1, 1]] : [[0, -1], [1, 0], [0, 1], [-1, 0]];
        corners.forEach(([dx, dy], i) => pen[i ? "lineTo" : "moveTo"](cx + dx * r, cy + dy * r));
        pen.closePath();
      }
    }
    pen.stroke();
  }

  function bar(colour, ground) {
    const metres = 110 / scale;
    const power = 10 ** Math.floor(Math.log10(metres));
    const length = [5, 2, 1].map((digit) => digit * power).find((value) => value <= metres);
    const base = height() - 14;
    pen.strokeStyle = colour;
    pen.fillStyle = colour;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(14, base - 6);
    pen.lineTo(14, base);
    pen.lineTo(14 + length * scale, base);
    pen.lineTo(14 + length * scale, base - 6);
    pen.stroke();
    pen.font = "13px system-ui, sans-serif";
    const text = length >= 1000 ? `${length / 1000} km` : `${length} m`;
    // Ground around the letters, which dots would hide.
    pen.strokeStyle = ground;
    pen.lineWidth = 4;
    pen.strokeText(text, 20 + length * scale, base);
    pen.fillText(text, 20 + length * scale, base);
  }

  const short = (value) => Number(value.toPrecision(4)).toLocaleString("en");
  const many = (count) => `${short(count)} unit${count === 1 ? "" : "s"}`;
  function choose(i) {
    chosen = i;
    if (i < 0) {
      told.textContent = "";
    } else if (Number.isNaN(radius[i])) {
      told.textContent = `${many(units[i])} here; no disc holds enough units.`;
    } else {
      told.textContent = `${many(units[i])} here; smallest disc: radius ${short(radius[i])} m with ${many(held[i])}, risk ${short(radius[i] / held[i])} m per unit.`;
    }
    ask();
  }

  function nearest(left, top) {
    let best = -1;
    let away = 14;
    for (const i of order) {
      if (!isShown(i)) continue;
      const [a, b] = px(i);
      const distance = Math.hypot(a - left, b - top);
      if (distance <= away) [best, away] = [i, distance];
    }
    return best;
  }

  function goToNext() {
    const shown = isolated.filter(isShown);
    const i = shown[next % shown.length];
    next += 1;
    middle = [x[i], y[i]];
    const room = Number.isNaN(radius[i]) ? 0 : radius[i];
    if (room > 0) scale = Math.min(width(), height()) / (5 * room);
    choose(i);
  }

  const fingers = new Map();
  let moved = false;
  let spread = 0;
  const between = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved = fingers.size > 1;
    if (fingers.size === 2) spread = between();
    canvas.classList.add("dragged");
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.offsetX, event.offsetY];
    if (fingers.size === 1) {
      middle[0] -= (now[0] - before[0]) / scale;
      middle[1] += (now[1] - before[1]) / scale;
      moved ||= Math.hypot(now[0] - before[0], now[1] - before[1]) > 2;
    }
    fingers.set(event.pointerId, now);
    if (fingers.size === 2) {
      const wider = between();
      zoom(wider / (spread || wider), now);
      spread = wider;
    }
    ask();
  });
  const release = (event) => {
    const at = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (fingers.size === 0) canvas.classList.remove("dragged");
    if (at && !moved && event.type === "pointerup") choose(nearest(...at));
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(2 ** (-event.deltaY / 240), [event.offsetX, event.offsetY]);
  }, { passive: false });
  const pan = (right, up) => {
    middle[0] += (right * width()) / 6 / scale;
    middle[1] += (up * height()) / 6 / scale;
    ask();
  };
  const acts = {
    in: () => zoom(1.6),
    out: () => zoom(1 / 1.6),
    all: () => { whole(); choose(-1); },
    next: goToNext,
    only: () => {
      only = !only;
      next = 0;
      figure.querySelector("[data-do=only]").setAttribute("aria-pressed", only);
      choose(-1);
    },
  };
  const keys = {
    "+": acts.in, "=": acts.in, "-": acts.out, 0: acts.all, n: acts.next, N: acts.next,
    ArrowLeft: () => pan(-1, 0), ArrowRight: () => pan(1, 0), ArrowUp: () => pan(0, 1), ArrowDown: () => pan(0, -1),
    Escape: () => choose(-1),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  for (const button of figure.querySelectorAll("[data-do]")) button.addEventListener("click", acts[button.dataset.do]);
  dark.addEventListener("change", ask);
  new ResizeObserver(ask).observe(canvas);
  whole();
  draw();
}
