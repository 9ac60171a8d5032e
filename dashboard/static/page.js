"use strict";
// What a page does by itself: times in the viewer's zone, charts, the keys of the review queue, what went wrong.

const banner = document.getElementById("banner");
const charts = new Map();

function tellTimes(within) {
  for (const time of within.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

function colour(name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function drawCharts() {
  if (typeof Chart === "undefined") return;
  for (const [canvas, chart] of charts) {
    chart.destroy();
    charts.delete(canvas);
  }
  const inks = ["accent", "second", "third"].map(colour);
  const quiet = colour("quiet");
  const line = colour("line");
  for (const canvas of document.querySelectorAll("canvas[data-chart]")) {
    charts.set(canvas, drawn(canvas, JSON.parse(canvas.dataset.chart), inks, quiet, line));
  }
}

function shortened(label) {
  if (!/^\d{4}-\d\d-\d\d$/.test(label)) return label;
  return new Date(`${label}T00:00:00Z`).toLocaleDateString([], { month: "short", day: "numeric", timeZone: "UTC" });
}

function drawn(canvas, data, inks, quiet, line) {
  const datasets = data.series.map(([name, values], at) => ({
    label: name, data: values, backgroundColor: inks[at], borderColor: inks[at], borderWidth: data.kind === "bar" ? 0 : 2,
    borderRadius: 2, maxBarThickness: 22, pointRadius: 0, pointHitRadius: 12, tension: 0,
  }));
  const ticks = { color: quiet, font: { size: 11 } };
  return new Chart(canvas, {
    type: data.kind,
    data: { labels: data.labels.map(shortened), datasets },
    options: {
      animation: false, responsive: true, maintainAspectRatio: false, interaction: { mode: "index", intersect: false },
      plugins: { legend: { display: datasets.length > 1, align: "end", labels: { color: quiet, boxWidth: 10, boxHeight: 10, font: { size: 11 } } } },
      scales: {
        x: { grid: { display: false }, border: { color: line }, ticks: { ...ticks, maxTicksLimit: 8, maxRotation: 0 } },
        y: { beginAtZero: true, grid: { color: line }, border: { display: false }, ticks: { ...ticks, maxTicksLimit: 4, precision: datasets[0].label === "weight" ? undefined : 0 } },
      },
    },
  });
}

function fresh(within) {
  tellTimes(within);
  if (within === document || within.querySelector("canvas[data-chart]")) drawCharts();
}

function say(words) {
  const told = document.createElement("p");
  told.className = "banner bad";
  told.textContent = words;
  told.dataset.offline = "";
  banner.replaceChildren(told);
}

// The review queue by keyboard: j and k move, x ticks, a approves, r rejects what is ticked, or what stands in focus.
function move(by) {
  const rows = [...document.querySelectorAll(".queue > li")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))];
  if (next) {
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }
}

function box() {
  const row = document.activeElement.closest(".queue > li");
  return row && row.querySelector("input[type=checkbox]");
}

let place = -1; // where the reader was before the queue was asked for anew

function decide(decision) {
  const form = document.getElementById("review");
  place = [...document.querySelectorAll(".queue > li")].findIndex((row) => row.contains(document.activeElement));
  const here = box();
  if (here && !form.querySelector("input[name=id]:checked")) here.checked = true;
  form.querySelector(`button[value=${decision}]`).click();
}

const KEYS = { j: () => move(1), k: () => move(-1), a: () => decide("approve"), r: () => decide("reject"), x: () => { const one = box(); if (one) one.checked = !one.checked; } };

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !document.getElementById("review")) return;
  if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});

const here = document.querySelector(".top nav [aria-current]");
if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 24;

const by = document.getElementById("by");
if (by) {
  by.value = localStorage.getItem("by") || by.value;
  by.addEventListener("change", () => localStorage.setItem("by", by.value));
}

document.addEventListener("htmx:afterSettle", (event) => {
  fresh(event.detail.target);
  const rows = document.querySelectorAll(".queue > li");
  if (event.detail.target.id === "queue" && place >= 0 && rows.length) rows[Math.min(place, rows.length - 1)].focus();
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.detail.requestConfig.verb === "get") event.preventDefault(); // nobody looks
});
document.addEventListener("htmx:sendError", () => say("The service does not answer. What you see is the last that was known; the page tries again."));
document.addEventListener("htmx:afterRequest", (event) => {
  const trouble = banner.querySelector(".bad");
  if (event.detail.successful && trouble && event.detail.target !== banner) banner.replaceChildren();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
fresh(document);
