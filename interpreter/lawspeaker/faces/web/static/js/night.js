// Sets the light or dark theme before anything is painted: the last choice here, or the system's preference. No
// module, so that it runs before the page is shown.

(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    // Without storage the system decides.
  }
  const show = () => {
    root.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
    for (const each of document.querySelectorAll("#night")) {
      each.setAttribute("aria-pressed", String(root.dataset.theme === "dark"));
    }
  };
  show();
  dark.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", ({ target }) => {
    if (!target.closest?.("#night")) return;
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("theme", chosen);
    } catch {
      // Without storage it lasts for this page.
    }
    show();
  });
})();
