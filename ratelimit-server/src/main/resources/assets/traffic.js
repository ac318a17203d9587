"use strict";
/* Charts of what was decided. Each loads what is new while the page is looked at. */
(() => {
  const HEIGHT = 260;
  const FIELDS = ["allowed", "refused", "shadow"];
  /* Told apart by their dashes as well as by their colours. */
  const LINES = [
    { label: "Allowed", colour: "--good", dash: [], marker: "solid" },
    { label: "Refused", colour: "--bad", dash: [9, 4], marker: "dashed" },
    { label: "Shadow-refused", colour: "--warn", dash: [2, 3], marker: "dotted" },
  ];

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const clock = seconds => new Date(seconds * 1000).toISOString().slice(11, 16);
  const number = value => value.toLocaleString("en", { maximumFractionDigits: 1 });

  class Chart {
    constructor(place) {
      this.place = place;
      this.trouble = place.nextElementSibling;
      this.times = [];
      this.counts = FIELDS.map(() => []);
      this.next = 0;
      this.longest = 0;
    }

    start() {
      this.refresh();
      setInterval(() => document.hidden || this.refresh(), Number(this.place.dataset.every));
      new ResizeObserver(() => this.plot && this.plot.setSize(this.size())).observe(this.place);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    }

    async refresh() {
      try {
        const answer = await fetch(this.place.dataset.chart + "&since=" + this.next, { redirect: "error" });
        if (!answer.ok) {
          throw new Error(answer.statusText);
        }
        this.add(await answer.json());
        this.trouble.hidden = true;
      } catch (failure) {
        this.trouble.hidden = false;
      }
    }

    /* Slots that may have grown since they were loaded come again. */
    add(news) {
      const known = this.times.findIndex(time => time >= news.times[0]);
      const kept = known < 0 ? this.times.length : known;
      this.longest = Math.max(this.longest, news.times.length);
      const join = (old, added) => old.slice(0, kept).concat(added).slice(-this.longest);
      this.times = join(this.times, news.times);
      this.counts = this.counts.map((old, place) => join(old, news[FIELDS[place]]));
      this.next = news.next;
      this.perSlot = Number(this.place.dataset.unitMillis) / news.slotMillis;
      this.draw();
    }

    /* The last slots still grow: drawn, they would look like a fall. */
    data() {
      const end = this.times.length - Number(this.place.dataset.unfinished);
      return [this.times.slice(0, end).map(time => time / 1000)]
        .concat(this.counts.map(counts => counts.slice(0, end).map(count => count * this.perSlot)));
    }

    draw() {
      if (this.plot) {
        this.plot.setData(this.data());
      } else {
        this.plot = new uPlot(this.options(), this.data(), this.place);
      }
    }

    redraw() {
      if (this.plot) {
        this.plot.destroy();
        this.plot = null;
        this.draw();
      }
    }

    size() {
      return { width: this.place.clientWidth, height: HEIGHT };
    }

    options() {
      const axis = {
        stroke: colour("--faint"),
        grid: { stroke: colour("--line"), width: 1 },
        ticks: { stroke: colour("--line"), width: 1 },
      };
      return {
        ...this.size(),
        scales: { y: { range: (plot, least, most) => [0, Math.max(1, most * 1.05)] } },
        axes: [
          { ...axis, space: 70, values: (plot, splits) => splits.map(clock) },
          { ...axis, size: 64, label: this.place.dataset.unit, labelSize: 22, values: (plot, splits) => splits.map(number) },
        ],
        series: [
          { label: "UTC", value: (plot, time) => time == null ? "–" : clock(time) },
          ...LINES.map(line => ({
            label: line.label,
            stroke: colour(line.colour),
            dash: line.dash,
            width: 2,
            points: { show: false },
            value: (plot, value) => value == null ? "–" : number(value),
          })),
        ],
        legend: { markers: { width: 3, dash: (plot, series) => series === 0 ? "solid" : LINES[series - 1].marker } },
        cursor: { drag: { x: false, y: false } },
      };
    }
  }

  /* Rules that have decided something since the page was made can be chosen, too; what is chosen stays. */
  const addRules = () => {
    const choice = document.getElementById("rule");
    const known = new Set(Array.from(choice.options, option => option.value));
    for (const rule of document.querySelectorAll("#rules-to-choose li")) {
      const name = rule.textContent;
      if (!known.has(name)) {
        const next = Array.from(choice.options).find(option => option.value > name);
        choice.add(new Option(name, name), next || null);
      }
    }
  };
  document.body.addEventListener("htmx:oobAfterSwap", event => {
    if (event.detail.target.id === "rules-to-choose") {
      addRules();
    }
  });

  document.querySelectorAll("[data-chart]").forEach(place => new Chart(place).start());
})();
