"use strict";
// Links into closed parts: current browsers open them by themselves, older ones need this.
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  target.scrollIntoView({ block: target.tagName === "DIV" ? "center" : "start" });
}
addEventListener("hashchange", reveal);
reveal();
