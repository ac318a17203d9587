"use strict";
/* Copies a secret that is shown this once. Browsers allow it on pages that came by HTTPS or from this machine. */
(() => {
  const button = document.getElementById("copy");
  const secret = document.getElementById("secret");
  secret.addEventListener("focus", () => secret.select());
  if (!navigator.clipboard) {
    return;
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    const told = document.getElementById("copied");
    navigator.clipboard.writeText(secret.value).then(
      () => { told.textContent = "Copied."; },
      () => { secret.focus(); told.textContent = "Your browser did not allow it: copy the selected text by hand."; });
  });
})();
