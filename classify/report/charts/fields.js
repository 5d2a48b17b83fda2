// What each metadata field is worth: a table in the place of a drawing.

drawings.fields = fields => {
  $("fields-chart").className = "panel scroll";
  $("fields-chart").removeAttribute("role");
  fill("fields-chart", tableOf(fields, [
    { head: "Field", row: true, class: "name", cell: row => row.field },
    { head: "Used", cell: row => row.used ? (row.in_pairs ? "in pairs" : "yes") : "no" },
    { head: "By the names", class: "bar-cell", cell: row => meter(row.worth, percent(row.worth)) },
    { head: "After the EM", class: "bar-cell", cell: row => meter(row.after, percent(row.after)) },
    { head: "Why", cell: row => row.why }]));
};
